import type { MessageKey } from './message.ts';

/** The Russian texts for staff (rule HTTP-110). */
export const RU: Readonly<Record<MessageKey, string>> = {
  'explain.SOLD_OUT': 'Гости видят блюдо как закончившееся.',
  'explain.AVAILABLE': 'Гости видят блюдо и могут его заказать.',
  'explain.ORGANIZATION_ACTIVE': 'Ресторан не активен, поэтому у него нет меню.',
  'explain.IN_PINNED_REVISION': 'Закреплена версия меню без этого блюда.',
  'explain.PUBLISHED': 'Товар не опубликован.',
  'explain.VISIBLE_HERE': 'Сотрудники скрыли товар в этом ресторане.',
  'explain.PLACED': 'Товара нет ни в одной категории, которую видят гости.',
  'explain.HAS_MAIN_IMAGE': 'У товара нет основного изображения.',
  'explain.SOLD_HERE': 'Ни один вариант товара не продаётся в этом ресторане.',
  'explain.IN_CONTENT': 'В закреплённой версии меню нет этого варианта.',
  'explain.PRICED': 'Ни в одном внешнем меню ресторана нет цены блюда.',
  'explain.SHOWN_BY_ERP': 'ERP скрывает блюдо во внешнем меню.',
  'explain.LIVE': 'ERP удалила блюдо или его цену.',
  'explain.NOT_STOPPED': 'Блюдо в стоп-листе.',
  'explain.IN_HOURS': 'Сейчас ни одна категория блюда во внешнем меню не продаётся по времени.',
  'explain.MODIFIERS_LEFT': 'В группе, из которой гость обязан выбрать, осталось слишком мало доступных модификаторов.',

  'setting.stoplist_behaviour': 'Блюда в стоп-листе',
  'setting.stoplist_terminals': 'Когда блюдо считается остановленным',
  'setting.sync.shrink_threshold_percent': 'Наибольшая доля удалений при импорте',
  'setting.binding.missing_grace': 'Отсрочка для пропавшего блюда',
  'setting.binding.escalation_minutes': 'Напоминание о пропавшем блюде',
  'setting.snapshot.revision_days': 'Хранение прежних версий меню',
  'setting.guest_language': 'Язык для гостей',
  'setting.overlapping_zones': 'Адрес в нескольких зонах',
  'setting.imprecise_address': 'Адрес без дома',
  'setting.quote_minutes': 'Срок действия расчёта',
  'setting.order_send_minutes': 'Время на передачу заказа в ERP',
  'setting.gifts_per_order': 'Подарков в одном заказе',
  'setting.order_limits': 'Ограничения числа заказов',
  'setting.guest_order_sum': 'Сумма, с которой нужен вход',
  'setting.gift_return_days': 'Срок возвращённого подарка',
  'setting.order_watch_days': 'Наблюдение за незавершённым заказом',
  'setting.delivery_fee': 'Стоимость доставки',
  'setting.serving_organization': 'Как выбирается ресторан для адреса',
  'setting.call_center_organization': 'Ресторан колл-центра',
  'setting.structured_cutlery': 'Как передаётся число персон',
  'setting.order_personal_days': 'Хранение данных гостя',
  'setting.gift_markers': 'Где операторы обещают подарки',
  'setting.gift_phrases': 'Фразы, которые означают подарок',
  'setting.gifts_per_client': 'Подарки по категориям гостя',
  'setting.compensation_grants_per_day': 'Подарков от одного сотрудника за сутки',
  'unit.PERCENT': 'проценты',
  'unit.MINUTES': 'минуты',
  'unit.DAYS': 'дни',
  'unit.ROUBLES': 'рубли',
  'unit.GIFTS': 'подарки',
  'unit.ORDERS': 'заказы',

  'notification.SUSPICIOUS_SHRINK.title': 'Импорт меню удалил бы слишком много строк',
  'notification.SUSPICIOUS_SHRINK.text':
    'Импорт меню удалил бы больше, чем допускает порог: блюда меню при полном импорте или цены ресторанов при любом. Отклонённый импорт ничего не записал, а успешный отложил удаления из `details`.',
  'notification.SNAPSHOT_TOO_LARGE.title': 'Меню слишком большое для публикации',
  'notification.SNAPSHOT_TOO_LARGE.text': 'Новое меню больше предела. Гости видят прежнее меню.',
  'notification.CREDENTIALS_REFUSED.title': 'ERP отклоняет подключение',
  'notification.CREDENTIALS_REFUSED.text':
    'ERP отклоняет подключение (401 с новым токеном или 403): apiLogin неверен, отозван или не имеет нужного права.',
  'notification.ERP_CIRCUIT_OPEN.title': 'Часть ERP не работает',
  'notification.ERP_CIRCUIT_OPEN.text':
    'Пять минут запросы подключения к группе методов и последующие проверки завершаются ошибкой: заказы, подарки гостей (LOYALTY), рестораны для адресов (ADDRESSES), импорты (MENUS) или токены. Группы перечислены в `details`. Уведомление закроется, когда ERP снова ответит.',
  'notification.ORGANIZATION_REFUSED.title': 'ERP отклоняет один ресторан',
  'notification.ORGANIZATION_REFUSED.text':
    'ERP отклоняет запросы к одной организации подключения (400, 403 или 5xx) и отвечает для остальных. Её меню, стоп-лист, терминалы и зоны доставки не меняются; изменения её заказов будут прочитаны, когда ERP снова ответит. Организация и импорты указаны в `details` (ORDERS: опрос заказов).',
  'notification.EMPTY_LIST.title': 'ERP больше не показывает ни одного ресторана',
  'notification.EMPTY_LIST.text':
    'Список организаций подключения внезапно пуст. Через полминуты он запрошен ещё раз; если он снова пуст, он применяется.',
  'notification.SUSPICIOUS_LIST.title': 'ERP удалила бы данные многих ресторанов',
  'notification.SUSPICIOUS_LIST.text':
    'В списке организаций, терминалов или зон доставки нет нескольких ресторанов: больше, чем допускает порог удалений. При повторном запросе через полминуты не хватало других. Список не применён; следующий применяется, если в нём не хватает тех же.',
  'notification.MENU_WITHDRAWN.title': 'В ERP больше нет меню',
  'notification.MENU_WITHDRAWN.text':
    'В двух списках подряд нет внешнего меню, по которому продают рестораны. Его блюда видны, но их нельзя заказать.',
  'notification.MENU_NOT_IMPORTED.title': 'Меню не импортируется',
  'notification.MENU_NOT_IMPORTED.text':
    'Два импорта меню подряд завершились ошибкой: ERP отклоняет его для всех ресторанов (400, 403) или ответ нельзя прочитать. Рестораны сохраняют последнее импортированное меню, а отклонённое меню запрашивается всё реже, вплоть до одного раза в час. Уведомление закроется, когда меню импортируется, исчезнет из ERP или будет отключено.',
  'notification.DELIVERY_MAP_BROKEN.title': 'Карта доставки в ERP повреждена',
  'notification.DELIVERY_MAP_BROKEN.text':
    'У зоны организации многоугольник без площади, граница, которая пересекает себя, или имя другой зоны. Зона без площади сохраняет последний многоугольник, а новая не содержит адресов. Граница с самопересечением считается по правилу чётности, и в `details` указана площадь наибольшей отсечённой части. Из двух зон с одним именем действует первая.',
  'notification.BINDING_MISSING.title': 'Товары потеряли свои блюда',
  'notification.BINDING_MISSING.text':
    'Импорт меню открыл инциденты типа ITEM_MISSING. На каждый импорт приходится одно уведомление.',
  'notification.BINDING_UNATTENDED.title': 'Пропавшие блюда не обработаны',
  'notification.BINDING_UNATTENDED.text':
    'Инцидент типа ITEM_MISSING открыт дольше, чем допускает настройка `binding.escalation_minutes`: его не привязали заново, не закрыли и не отложили. На каждый импорт приходится одно уведомление.',
  'notification.ORDER_DIVERGENCE.title': 'ERP и заказ расходятся',
  'notification.ORDER_DIVERGENCE.text':
    'ERP отклоняет заказ, принятый от гостя, или сообщает о заказе, который здесь уже завершён. Одно уведомление на подключение, причину и час; `details` считает и перечисляет заказы.',
  'notification.ORDER_NOT_SENT.title': 'Принятый заказ не дошёл до ERP вовремя',
  'notification.ORDER_NOT_SENT.text':
    'Время на передачу принятого заказа истекло, и в ERP его нет. Гость всё ещё ждёт. Одно уведомление на подключение, причину и час; `details` считает и перечисляет заказы.',
  'notification.ORDER_STUCK.title': 'Ресторан не принимает заказ',
  'notification.ORDER_STUCK.text':
    'Заказ уже несколько минут в ERP, но ресторан его не принял. Одно уведомление на подключение и час; `details` считает и перечисляет заказы. Уведомление закроется, когда все они приняты или завершены.',
  'notification.ORDER_NEVER_ENDED.title': 'ERP не завершила заказ',
  'notification.ORDER_NEVER_ENDED.text':
    'Время заказа прошло несколько дней назад, а ERP его не закрыла и не отменила. Он завершён здесь, и за ним больше не следят. Одно уведомление на подключение и час и одно на все доставленные заказы подключения; `details` считает и перечисляет заказы.',
  'notification.ORDERING_LEFT_BEHIND.title': 'Ресторан перешёл в другое подключение без настроек заказов',
  'notification.ORDERING_LEFT_BEHIND.text':
    'ERP показывает организацию через другое подключение, чем прежде. Часы, переключатели и способы оплаты остались у прежней организации, и гости не могут заказать. В `details` есть команда, которая их переносит.',
  'notification.DELIVERY_FEE_IN_WORDS.title': 'Стоимость доставки указана только в комментарии заказа',
  'notification.DELIVERY_FEE_IN_WORDS.text':
    'В заказе есть стоимость доставки, по которой ERP не продаёт позицию с ролью DELIVERY_FEE. ERP получает её только в комментарии, и сумма заказа в ERP её не включает.',
  'notification.GIFT_BROKEN.title': 'Подарок нельзя выдать',
  'notification.GIFT_BROKEN.text':
    'Блюдо действующего подарка отсутствует, не продаётся или не бесплатно во всех его ресторанах. Права гостей на него заблокированы, пока его нельзя выдать.',
  'notification.GIFT_LIMITED.title': 'Подарок можно выдать не везде',
  'notification.GIFT_LIMITED.text':
    'Блюдо действующего подарка не продаётся или не бесплатно в некоторых из его ресторанов. Там гости его не получают.',
  'notification.GIFT_RESERVED_TOO_LONG.title': 'Заказы слишком долго удерживают подарки',
  'notification.GIFT_RESERVED_TOO_LONG.text':
    'Заказы подключения удерживают подарки больше часа, и результат в ERP неизвестен. Уведомление закроется, когда каждый подарок выдан или возвращён.',
  'notification.GIFT_STOPPED.title': 'Обещанные подарки в стоп-листе',
  'notification.GIFT_STOPPED.text':
    'Подарки, обещанные гостям подключения, больше часа в стоп-листе ресторана. Уведомление закроется, когда их не будет в стоп-листах.',
  'notification.GIFT_MARKERS_WAITING.title': 'Метки выданных подарков не удаляются в ERP',
  'notification.GIFT_MARKERS_WAITING.text':
    'Категории или комментарии гостей в ERP больше часа обещают уже выданные подарки, потому что их не удалось изменить. Уведомление закроется, когда метки удалены.',
  'notification.GIFT_COMMENT_DAMAGED.title': 'В комментариях повреждены блоки подарков',
  'notification.GIFT_COMMENT_DAMAGED.text':
    'В комментариях гостей есть повреждённый тег, поэтому их подарки не выдаются. Уведомление закроется, когда карточки прочитаны без повреждений или не читались 7 дней.',
  'notification.GIFT_NAME_UNKNOWN.title': 'Комментарии обещают неизвестные подарки',
  'notification.GIFT_NAME_UNKNOWN.text':
    'Блок в комментарии гостя не называет ни одного действующего подарка, называет несколько или платное блюдо. Уведомление закроется, когда карточки прочитаны без такого блока, не читались 7 дней или подарок с тех пор изменён.',
  'notification.GIFT_CATEGORY_WITHOUT_REWARD.title': 'У категорий гостей нет действующего подарка',
  'notification.GIFT_CATEGORY_WITHOUT_REWARD.text':
    'У гостей есть категория подарка, который отключён здесь или в ERP. Уведомление закроется, когда карточки прочитаны без неё, не читались 7 дней или подарок с тех пор изменён.',
  'notification.GIFT_CANDIDATES_WAITING.title': 'Фразы в комментариях ждут решения',
  'notification.GIFT_CANDIDATES_WAITING.text':
    'Фразы, которые могут обещать подарки, больше суток ждут решения сотрудников. Уведомление закроется, когда каждая подтверждена или отклонена.',
  'notification.GIFTS_NOT_COMPARED.title': 'Подарки подключения не сверяются',
  'notification.GIFTS_NOT_COMPARED.text':
    'Подарки в заказах ERP 30 часов не сверялись с правами на них. Уведомление закроется после следующей сверки.',
  'notification.GIFT_HISTORIES_MISSED.title': 'Пропущенные заказы гостей не прочитаны',
  'notification.GIFT_HISTORIES_MISSED.text':
    'ERP не отвечала больше семи дней, и заказы некоторых гостей за это время не прочитаны и через сутки. Уведомление закроется, когда прочитаны все.',
  'notification.UNAUTHORIZED_COMPENSATION.title': 'В заказе есть подарок без права',
  'notification.UNAUTHORIZED_COMPENSATION.text':
    'В заказе ERP есть подарок, на который у гостя нет права или право использовано в другом заказе. Заказ остаётся как есть.',
  'notification.COMPENSATION_CANDIDATES.title': 'Комментарии гостей могут обещать подарки',
  'notification.COMPENSATION_CANDIDATES.text':
    'В комментарии гостя есть фраза из настройки gift_phrases. Сотрудник должен её подтвердить, прежде чем подарок будет выдан.',
  'notification.COMPENSATION_RETURNED.title': 'Отменённый заказ вернул подарок',
  'notification.COMPENSATION_RETURNED.text':
    'Заказ, в котором был выдан подарок, отменён в ERP, и гость снова получил право на подарок. Заказ указан в `details`.',
  'notification.COMPENSATION_DIVERGENCE.title': 'ERP и права на подарки расходятся',
  'notification.COMPENSATION_DIVERGENCE.text':
    'Заказ из другого канала использовал подарок, который удерживал наш заказ, или в заказе меньше подарков, чем обещало право, или отменённый заказ вернулся, хотя возвращённый им подарок уже используется. Также если гость заплатил за блюдо подарка или получил подарок другой организации. Заказы перечислены в `details`.',
  'notification.GIFTS_DIFFER.title': 'Подарки за день не сходятся',
  'notification.GIFTS_DIFFER.text':
    'В заказах ERP за день больше или меньше подарков, чем использовано прав и найдено подарков без права. Заказы указаны в `details`. Уведомление приходит снова, когда разница меняется.',
  'notification.WEBHOOK_ENDPOINT_DISABLED.title': 'Получатель вебхуков отключён',
  'notification.WEBHOOK_ENDPOINT_DISABLED.text':
    'Получатель вебхуков ответил 410 (`GONE`) или три дня ничего не принимал (`FAILING`). Его события ждут и будут доставлены, если его включить в течение 28 дней.',
  'notification.WEBHOOK_EVENTS_REFUSED.title': 'Получатель вебхуков отклоняет события',
  'notification.WEBHOOK_EVENTS_REFUSED.text':
    'Получатель вебхуков час отклоняет событие. Во время `until` из `details` событие будет отложено, а если получатель не принимает ни одного события, он будет отключён. Уведомление закроется, когда ошибок нет в течение часа.',
  'notification.WEBHOOK_EVENT_FAILED.title': 'Событие вебхука отложено',
  'notification.WEBHOOK_EVENT_FAILED.text':
    'Получатель вебхуков три дня отклонял событие и принимал другие. Само событие больше не отправляется; оно есть среди доставок со статусом FAILED.',
  'notification.ORDERS_NOT_CONFIGURED.title': 'Заказы подключения нельзя передать',
  'notification.ORDERS_NOT_CONFIGURED.text':
    'Заказу нужен способ оплаты или скидка ERP, но какие именно, не указали ни сотрудники, ни ERP.',

  'readiness.CONNECTION': 'Действующее подключение к ERP',
  'readiness.TERMINALS': 'Терминалы ERP',
  'readiness.MENU': 'Опубликованное меню',
  'readiness.HOURS': 'Часы работы',
  'readiness.PAYMENT_METHODS': 'Способы оплаты',
  'readiness.ZONES': 'Зоны доставки',
  'readiness.SWITCHES': 'Включена доставка или самовывоз',
  'readiness.TEST_ORDER': 'Пробный заказ',

  'incident.ITEM_MISSING.ITEM':
    'ERP удалила блюдо «{dish}» товара «{product}». Оно продавалось в {restaurants, plural, one {# ресторане} few {# ресторанах} many {# ресторанах} other {# ресторана}}.',
  'incident.ITEM_MISSING.SIZE':
    'ERP удалила размер блюда «{dish}» товара «{product}». Он продавался в {restaurants, plural, one {# ресторане} few {# ресторанах} many {# ресторанах} other {# ресторана}}.',
  'incident.NAME_CHANGED': 'ERP переименовала блюдо «{dish}» товара «{product}» в «{newName}».',
  'incident.POSSIBLE_REPLACEMENT':
    'ERP могла заменить блюдо «{dish}» товара «{product}». Новым может быть {candidates, plural, one {# блюдо} few {# блюда} many {# блюд} other {# блюда}}.',

  'gift.ACCOUNT.met': 'Гость относится к учётной записи ERP этого ресторана.',
  'gift.ACCOUNT.unmet': 'Гость относится к другой учётной записи ERP, чем ресторан.',
  'gift.CLIENT_PHONE.met': 'Телефон гостя сохранён.',
  'gift.CLIENT_PHONE.unmet': 'Телефон гостя не сохранён, поэтому вошедший покупатель не будет найден.',
  'gift.CUSTOMER.met': 'Покупатель может быть гостем, которому обещан подарок.',
  'gift.CUSTOMER.unmet': 'Покупатель не вошёл или это другой гость.',
  'gift.SERVED.met': 'Гости видят ресторан.',
  'gift.SERVED.unmet': 'Гости не видят ресторан.',
  'gift.STATUS.met': 'Право можно использовать.',
  'gift.STATUS.unmet': 'Право занято, использовано, отменено или истекло.',
  'gift.TERM.met': 'Срок права не истёк.',
  'gift.TERM.unmet': 'Срок права истёк.',
  'gift.REWARD_ACTIVE.met': 'Подарок действует.',
  'gift.REWARD_ACTIVE.unmet': 'Подарок отключён.',
  'gift.ORGANIZATION.met': 'Подарок предназначен для этого ресторана.',
  'gift.ORGANIZATION.unmet': 'Подарок предназначен для другого ресторана.',
  'gift.BINDING.met': 'В ERP есть блюдо подарка.',
  'gift.BINDING.unmet': 'В этом ресторане в ERP нет такого блюда или размера.',
  'gift.ZERO_PRICE.met': 'Блюдо подарка здесь бесплатно.',
  'gift.ZERO_PRICE.unmet': 'Блюдо подарка здесь не продаётся или платное.',
  'gift.STOP_LIST.met': 'Порций блюда достаточно, или его заменяет другой подарок.',
  'gift.STOP_LIST.unmet': 'Из-за стоп-листа порций блюда недостаточно.',
  'gift.CHOICE.met': 'Гость не отложил подарок.',
  'gift.CHOICE.unmet': 'Гость отложил подарок.',
  'gift.TURN.met': 'Более ранние обещания оставляют место для подарка.',
  'gift.TURN.unmet':
    'Более ранние обещания заняли все места: в заказе не больше {giftsPerOrder, plural, one {# подарка} few {# подарков} many {# подарков} other {# подарка}}.',

  'delivery.NOT_LOCATED': 'Адрес не найден на карте достаточно точно.',
  'delivery.NO_ZONE': 'Место не входит ни в одну зону доставки.',
  'delivery.NOT_SERVED_NOW': 'Место входит в зоны доставки, но сейчас ни одна не обслуживается.',
  'delivery.ONLY_ZONE': 'Сейчас обслуживается одна зона с этим местом.',
  'delivery.PRIORITY': 'Место входит в несколько зон. Обслуживает зона с наименьшим номером приоритета.',
  'delivery.ERP': 'Ресторан назвала ERP.',
  'delivery.SEVERAL_ZONES': 'Место входит в несколько зон, и настройка `overlapping_zones` отклоняет такие места.',
  'delivery.EQUAL_PRIORITIES': 'Место входит в несколько зон с одинаковым приоритетом.',

  'violation.NO_MAIN_IMAGE': 'У товара нет основного изображения.',
  'violation.NO_PLACEMENT': 'Товара нет ни в одной категории.',
  'violation.NO_VARIANT': 'У товара нет вариантов.',
  'violation.NO_LIVE_VARIANT': 'Ни один вариант не привязан к блюду, которое ещё есть в ERP.',
  'violation.NO_DEFAULT_VARIANT': 'Ни один вариант не выбран по умолчанию.',
  'violation.UNSOLD_VARIANT': 'Вариант привязан к блюду, которое является подарком или стоимостью доставки.',
  'violation.KEEPS_CATEGORY': 'Опубликованный товар остаётся хотя бы в одной категории.',

  'problem.validation.title': 'Неверный запрос',
  'problem.validation.detail':
    'Поле тела, запроса или пути нарушает своё правило. В `errors` первые 50 таких полей, а `errorsOmitted` считает остальные. Список со слишком многими элементами даёт одну ошибку: его элементы не проверяются.',
  'problem.malformed-body.title': 'Тело запроса не читается',
  'problem.malformed-body.detail': 'Тело не является JSON или multipart-формой, о которых говорит его тип.',
  'problem.unsupported-media-type.title': 'Неподдерживаемый тип содержимого',
  'problem.unsupported-media-type.detail': 'Операция не читает тела этого типа.',
  'problem.payload-too-large.title': 'Тело запроса слишком большое',
  'problem.payload-too-large.detail': 'Тело или один из его файлов больше, чем допускает операция.',
  'problem.malformed-request.title': 'Неверный HTTP-запрос',
  'problem.malformed-request.detail':
    'Запрос не является верным HTTP, или в его URL есть незакодированные символы не из ASCII.',
  'problem.uri-too-long.title': 'Слишком длинный URL',
  'problem.uri-too-long.detail': 'В URL больше 8000 символов или больше 100 параметров.',
  'problem.headers-too-large.title': 'Слишком большие заголовки',
  'problem.headers-too-large.detail': 'Заголовки запроса вместе больше 16 КиБ.',
  'problem.unauthorized.title': 'Требуется вход',
  'problem.unauthorized.detail':
    'Токен доступа отсутствует, истёк или выдан не этим сервисом, пароль неверен, ключ API неизвестен, истёк или отозван, или секрет вебхука отсутствует либо неверен.',
  'problem.second-factor-required.title': 'Требуется второй фактор',
  'problem.second-factor-required.detail':
    'Пароль верен, но у пользователя есть второй фактор. Запросу нужен `code`: код из приложения или код восстановления.',
  'problem.forbidden.title': 'Нет права',
  'problem.forbidden.detail':
    'У пользователя нет права, которое называет `permission`, или он должен сначала настроить второй фактор. Изменения со страниц, чьих источников нет в ADMIN_ORIGINS, также запрещены.',
  'problem.sign-on-refused.title': 'Вход отклонён',
  'problem.sign-on-refused.detail':
    'Вход через провайдера не привёл к пользователю, которому разрешён вход. Причину называет `reason`.',
  'problem.not-found.title': 'Не найдено',
  'problem.not-found.detail': 'URL не существует, или объекта, на который он указывает, нет.',
  'problem.method-not-allowed.title': 'Метод не поддерживается',
  'problem.method-not-allowed.detail':
    'URL существует, но не поддерживает этот метод. Поддерживаемые методы перечислены в заголовке `Allow`.',
  'problem.version-conflict.title': 'Конфликт версий',
  'problem.version-conflict.detail':
    'Объект изменён после того, как был прочитан: `version` в теле отличается от `currentVersion`, или `fingerprint` дня больше не соответствует его заказам.',
  'problem.duplicate.title': 'Значение уже занято',
  'problem.duplicate.detail':
    'У другой записи то же значение в поле, которое должно быть уникальным. `errors` называет поле с кодом `duplicate`.',
  'problem.invalid-transition.title': 'Изменение невозможно в этом состоянии',
  'problem.invalid-transition.detail': 'Текущее состояние объекта не допускает этого изменения.',
  'problem.already-running.title': 'Импорт уже выполняется',
  'problem.already-running.detail': 'Импорт запущен вручную, пока он уже выполняется.',
  'problem.item-already-bound.title': 'Блюдо привязано к другому товару',
  'problem.item-already-bound.detail': 'Блюдо ERP привязано к другому товару, который называет `boundProduct`.',
  'problem.category-not-empty.title': 'Категория не пуста',
  'problem.category-not-empty.detail':
    'Категорию нельзя архивировать, пока в ней есть товары или категории. Их число в `productCount`, `archivedProductCount` и `categoryCount`. Если остались только архивные товары, её архивирует `archive_products=true`.',
  'problem.checkout-blocked.title': 'Заказ нельзя оформить',
  'problem.checkout-blocked.detail':
    'Заказ запрещает правило оформления, или он отличается от суммы, которую видел гость. Причины в `reasons`, а `preflight` — текущий результат проверок. Если был расчёт, `differences` перечисляет отличия от него.',
  'problem.cart-already-ordered.title': 'Корзина уже заказана',
  'problem.cart-already-ordered.detail': 'Корзина уже стала заказом `orderId`.',
  'problem.order-not-cancellable.title': 'Заказ уже нельзя отменить',
  'problem.order-not-cancellable.detail': 'Заказ мог уже дойти до ресторана или завершён. Его статус в `orderStatus`.',
  'problem.compensation-taken.title': 'Подарок уже используется',
  'problem.compensation-taken.detail': 'Подарок занял или использовал другой заказ, `orderId`.',
  'problem.reason-required.title': 'Нужна причина',
  'problem.reason-required.detail': 'Изменению подарка нужна причина, которая остаётся в его истории.',
  'problem.grant-limit-reached.title': 'Достигнут дневной предел подарков',
  'problem.grant-limit-reached.detail':
    'Число подарков, выданных пользователем вручную за 24 часа, достигло настройки `compensation_grants_per_day`.',
  'problem.media-in-use.title': 'Файл используется',
  'problem.media-in-use.detail': 'Файл использует товар, категория или модификатор, и его нельзя удалить.',
  'problem.publish-blocked.title': 'Товар нельзя опубликовать',
  'problem.publish-blocked.detail': 'Товар нарушает хотя бы одно правило публикации. Все нарушения в `violations`.',
  'problem.idempotency-key-reused.title': 'Ключ идемпотентности уже использован',
  'problem.idempotency-key-reused.detail': 'Тот же Idempotency-Key уже отправлен с другим телом.',
  'problem.idempotency-in-flight.title': 'Запрос ещё выполняется',
  'problem.idempotency-in-flight.detail': 'Прежний запрос с этим Idempotency-Key ещё не завершён.',
  'problem.last-administrator.title': 'Последний администратор',
  'problem.last-administrator.detail':
    'После изменения не осталось бы активного пользователя с правом управлять пользователями.',
  'problem.owner-inactive.title': 'Владелец не активен',
  'problem.owner-inactive.detail': 'Юридическое лицо или его франчайзи не активны.',
  'problem.rate-limited.title': 'Слишком много запросов',
  'problem.rate-limited.detail':
    'Адрес клиента или пользователь отправили слишком много запросов. Сколько секунд ждать, указано в заголовке `Retry-After`.',
  'problem.media-unreadable.title': 'Изображение не читается',
  'problem.media-unreadable.detail': 'Файл не является изображением jpeg, png или webp, или он повреждён.',
  'problem.busy.title': 'Сервис занят',
  'problem.busy.detail': 'Сервис достиг предела одновременных запросов этого вида.',
  'problem.unavailable.title': 'Сервис недоступен',
  'problem.unavailable.detail': 'Служба, которая нужна операции, например Temporal, не отвечает.',
  'problem.internal.title': 'Внутренняя ошибка',
  'problem.internal.detail': 'Сервис неожиданно завершил запрос с ошибкой. Сообщая о ней, назовите `requestId`.',

  'rule.required': 'обязательно',
  'rule.type': 'ожидается тип {type}',
  'rule.enum': 'ожидается одно из значений: {values}',
  'rule.const': 'ожидается значение {value}',
  'rule.format': 'ожидается формат {format}',
  'rule.pattern': 'не соответствует ожидаемой форме',
  'rule.notEmpty': 'не может быть пустым',
  'rule.minLength':
    'нужно не меньше {limit, plural, one {# символа} few {# символов} many {# символов} other {# символа}}',
  'rule.maxLength':
    'допускается не больше {limit, plural, one {# символа} few {# символов} many {# символов} other {# символа}}',
  'rule.minimum': 'не может быть меньше {limit}',
  'rule.exclusiveMinimum': 'должно быть больше {limit}',
  'rule.maximum': 'не может быть больше {limit}',
  'rule.exclusiveMaximum': 'должно быть меньше {limit}',
  'rule.minItems':
    'нужно не меньше {limit, plural, one {# элемента} few {# элементов} many {# элементов} other {# элемента}}',
  'rule.maxItems':
    'допускается не больше {limit, plural, one {# элемента} few {# элементов} many {# элементов} other {# элемента}}',
  'rule.minProperties': 'нужно хотя бы одно поле',
  'rule.zeroCharacter': 'не может содержать символ U+0000',
  'rule.surrogate': 'не может содержать половину суррогатной пары',
  'rule.repeated': 'элементы не должны повторяться',
  'rule.unknown': 'неизвестное поле',
  'rule.invalid': 'неверное значение',
};
