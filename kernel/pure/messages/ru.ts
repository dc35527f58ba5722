import type { MessageKey } from './message.ts';

/** HTTP-110. */
export const RU: Readonly<Record<MessageKey, string>> = {
  'explain.SOLD_OUT': 'Гости видят блюдо как закончившееся.',
  'explain.AVAILABLE': 'Гости видят блюдо и могут его заказать.',
  'explain.ORGANIZATION_ACTIVE': 'Ресторан не активен, поэтому у него нет меню.',
  'explain.IN_PINNED_REVISION': 'Закреплена версия меню без этого блюда.',
  'explain.PUBLISHED': 'Блюдо не опубликовано.',
  'explain.VISIBLE_HERE': 'Сотрудники скрыли блюдо в этом ресторане.',
  'explain.PLACED': 'Блюда нет ни в одной категории, которую видят гости.',
  'explain.HAS_MAIN_IMAGE': 'У блюда нет основного изображения.',
  'explain.SOLD_HERE': 'Ни один вариант блюда не продаётся в этом ресторане.',
  'explain.IN_CONTENT': 'В закреплённой версии меню нет этого варианта.',
  'explain.PRICED': 'Ни в одном внешнем меню ресторана нет цены блюда.',
  'explain.SHOWN_BY_ERP': 'Учётная система скрывает блюдо во внешнем меню.',
  'explain.LIVE': 'Учётная система удалила позицию блюда или её цену.',
  'explain.NOT_STOPPED': 'Блюдо в стоп-листе.',
  'explain.IN_HOURS': 'Сейчас ни одна категория блюда во внешнем меню не продаётся по времени.',
  'explain.MODIFIERS_LEFT':
    'В группе, из которой гость обязан выбрать, осталось слишком мало доступных модификаторов.',

  'setting.stoplist_behaviour': 'Блюда в стоп-листе',
  'setting.stoplist_terminals': 'Когда позиция считается остановленной',
  'setting.sync.shrink_threshold_percent': 'Наибольшая доля удалений при импорте',
  'setting.binding.missing_grace': 'Отсрочка для пропавшей позиции',
  'setting.binding.escalation_minutes': 'Напоминание о пропавшей позиции',
  'setting.snapshot.revision_days': 'Хранение прежних версий меню',
  'setting.console': 'Консоль персонала',
  'setting.chain_name': 'Название сети в консоли',
  'setting.map_tiles': 'Подложка карт в консоли',
  'setting.temporal_ui_url': 'Ссылки на Temporal',
  'setting.guest_language': 'Язык для гостей',
  'setting.staff_language': 'Язык писем и вебхуков для сотрудников',
  'setting.overlapping_zones': 'Адрес в нескольких зонах',
  'setting.imprecise_address': 'Адрес без дома',
  'setting.quote_minutes': 'Срок действия расчёта',
  'setting.order_send_minutes': 'Время на передачу заказа в учётную систему',
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

  'mail.CRITICAL': 'Срочно',
  'mail.INFO': 'К сведению',
  'mail.kind': 'Вид: {kind}',
  'mail.subject': 'Предмет: {subject}',
  'mail.raisedAt': 'Время: {moment}',
  'mail.details': 'Подробности: {details}',
  'mail.link': 'Открыть: {link}',
  'notification.SUSPICIOUS_SHRINK.title': 'Импорт меню удалил бы слишком много строк',
  'notification.SUSPICIOUS_SHRINK.text':
    'Импорт меню удалил бы больше, чем допускает порог: блюда меню при полном импорте или цены ресторанов при любом. Отклонённый импорт ничего не записал, а успешный отложил удаления из `details`.',
  'notification.SNAPSHOT_TOO_LARGE.title': 'Меню слишком большое для публикации',
  'notification.SNAPSHOT_TOO_LARGE.text': 'Новое меню больше предела. Гости видят прежнее меню.',
  'notification.CREDENTIALS_REFUSED.title': 'Учётная система отклоняет подключение',
  'notification.CREDENTIALS_REFUSED.text':
    'Учётная система отклоняет подключение (401 с новым токеном или 403): apiLogin неверен, отозван или не имеет нужного права.',
  'notification.ERP_CIRCUIT_OPEN.title': 'Часть учётной системы не работает',
  'notification.ERP_CIRCUIT_OPEN.text':
    'Пять минут запросы подключения к группе методов и последующие проверки завершаются ошибкой: заказы, подарки гостей (LOYALTY), рестораны для адресов (ADDRESSES), импорты (MENUS) или токены. Группы перечислены в `details`. Уведомление закроется, когда учётная система снова ответит.',
  'notification.ORGANIZATION_REFUSED.title': 'Учётная система отклоняет один ресторан',
  'notification.ORGANIZATION_REFUSED.text':
    'Учётная система отклоняет запросы к одной организации подключения (400, 403 или 5xx) и отвечает для остальных. Её меню, стоп-лист, терминалы и зоны доставки не меняются; изменения её заказов будут прочитаны, когда учётная система снова ответит. Организация и импорты указаны в `details` (ORDERS: опрос заказов).',
  'notification.EMPTY_LIST.title': 'Учётная система больше не показывает ни одного ресторана',
  'notification.EMPTY_LIST.text':
    'Список организаций подключения внезапно пуст. Через полминуты он запрошен ещё раз; если он снова пуст, он применяется.',
  'notification.SUSPICIOUS_LIST.title': 'Учётная система удалила бы данные многих ресторанов',
  'notification.SUSPICIOUS_LIST.text':
    'В списке организаций, терминалов или зон доставки нет нескольких ресторанов: больше, чем допускает порог удалений. При повторном запросе через полминуты не хватало других. Список не применён; следующий применяется, если в нём не хватает тех же.',
  'notification.MENU_WITHDRAWN.title': 'В учётной системе больше нет меню',
  'notification.MENU_WITHDRAWN.text':
    'В двух списках подряд нет внешнего меню, по которому продают рестораны. Его блюда видны, но их нельзя заказать.',
  'notification.MENU_NOT_IMPORTED.title': 'Меню не импортируется',
  'notification.MENU_NOT_IMPORTED.text':
    'Два импорта меню подряд завершились ошибкой: учётная система отклоняет его для всех ресторанов (400, 403) или ответ нельзя прочитать. Рестораны сохраняют последнее импортированное меню, а отклонённое меню запрашивается всё реже, вплоть до одного раза в час. Уведомление закроется, когда меню импортируется, исчезнет из учётной системы или будет отключено.',
  'notification.DELIVERY_MAP_BROKEN.title': 'Карта доставки в учётной системе повреждена',
  'notification.DELIVERY_MAP_BROKEN.text':
    'У зоны организации многоугольник без площади, граница, которая пересекает себя, или имя другой зоны. Зона без площади сохраняет последний многоугольник, а новая не содержит адресов. Граница с самопересечением считается по правилу чётности, и в `details` указана площадь наибольшей отсечённой части. Из двух зон с одним именем действует первая.',
  'notification.BINDING_MISSING.title': 'Блюда потеряли свои позиции',
  'notification.BINDING_MISSING.text':
    'Импорт меню открыл инциденты типа ITEM_MISSING. На каждый импорт приходится одно уведомление.',
  'notification.BINDING_UNATTENDED.title': 'Пропавшие позиции не обработаны',
  'notification.BINDING_UNATTENDED.text':
    'Инцидент типа ITEM_MISSING открыт дольше, чем допускает настройка `binding.escalation_minutes`: его не привязали заново, не закрыли и не отложили. На каждый импорт приходится одно уведомление.',
  'notification.ORDER_DIVERGENCE.title': 'Учётная система и заказ расходятся',
  'notification.ORDER_DIVERGENCE.text':
    'Учётная система отклоняет заказ, принятый от гостя, или сообщает о заказе, который здесь уже завершён. Одно уведомление на подключение, причину и час; `details` считает и перечисляет заказы.',
  'notification.ORDER_NOT_SENT.title': 'Принятый заказ не дошёл до учётной системы вовремя',
  'notification.ORDER_NOT_SENT.text':
    'Время на передачу принятого заказа истекло, и в учётной системе его нет. Гость всё ещё ждёт. Одно уведомление на подключение, причину и час; `details` считает и перечисляет заказы.',
  'notification.ORDER_STUCK.title': 'Ресторан не принимает заказ',
  'notification.ORDER_STUCK.text':
    'Заказ уже несколько минут в учётной системе, но ресторан его не принял. Одно уведомление на подключение и час; `details` считает и перечисляет заказы. Уведомление закроется, когда все они приняты или завершены.',
  'notification.ORDER_NEVER_ENDED.title': 'Учётная система не завершила заказ',
  'notification.ORDER_NEVER_ENDED.text':
    'Время заказа прошло несколько дней назад, а учётная система его не закрыла и не отменила. Он завершён здесь, и за ним больше не следят. Одно уведомление на подключение и час и одно на все доставленные заказы подключения; `details` считает и перечисляет заказы.',
  'notification.ORDERING_LEFT_BEHIND.title':
    'Ресторан перешёл в другое подключение без настроек заказов',
  'notification.ORDERING_LEFT_BEHIND.text':
    'Учётная система показывает организацию через другое подключение, чем прежде. Часы, переключатели и способы оплаты остались у прежней организации, и гости не могут заказать. В `details` есть команда, которая их переносит.',
  'notification.DELIVERY_FEE_IN_WORDS.title':
    'Стоимость доставки указана только в комментарии заказа',
  'notification.DELIVERY_FEE_IN_WORDS.text':
    'В заказе есть стоимость доставки, по которой учётная система не продаёт позицию с ролью DELIVERY_FEE. Учётная система получает её только в комментарии, и сумма заказа в учётной системе её не включает.',
  'notification.GIFT_BROKEN.title': 'Подарок нельзя выдать',
  'notification.GIFT_BROKEN.text':
    'Блюдо действующего подарка отсутствует, не продаётся или не бесплатно во всех его ресторанах. Права гостей на него заблокированы, пока его нельзя выдать.',
  'notification.GIFT_LIMITED.title': 'Подарок можно выдать не везде',
  'notification.GIFT_LIMITED.text':
    'Блюдо действующего подарка не продаётся или не бесплатно в некоторых из его ресторанов. Там гости его не получают.',
  'notification.GIFT_RESERVED_TOO_LONG.title': 'Заказы слишком долго удерживают подарки',
  'notification.GIFT_RESERVED_TOO_LONG.text':
    'Заказы подключения удерживают подарки больше часа, и результат в учётной системе неизвестен. Уведомление закроется, когда каждый подарок выдан или возвращён.',
  'notification.GIFT_STOPPED.title': 'Обещанные подарки в стоп-листе',
  'notification.GIFT_STOPPED.text':
    'Подарки, обещанные гостям подключения, больше часа в стоп-листе ресторана. Уведомление закроется, когда их не будет в стоп-листах.',
  'notification.GIFT_MARKERS_WAITING.title':
    'Отметки выданных подарков не удаляются в учётной системе',
  'notification.GIFT_MARKERS_WAITING.text':
    'Категории или комментарии гостей в учётной системе больше часа обещают уже выданные подарки, потому что их не удалось изменить. Уведомление закроется, когда отметки удалены.',
  'notification.GIFT_COMMENT_DAMAGED.title': 'В комментариях повреждены блоки подарков',
  'notification.GIFT_COMMENT_DAMAGED.text':
    'В комментариях гостей есть повреждённый тег, поэтому их подарки не выдаются. Уведомление закроется, когда карточки прочитаны без повреждений или не читались 7 дней.',
  'notification.GIFT_NAME_UNKNOWN.title': 'Комментарии обещают неизвестные подарки',
  'notification.GIFT_NAME_UNKNOWN.text':
    'Блок в комментарии гостя не называет ни одного действующего подарка, называет несколько или платное блюдо. Уведомление закроется, когда карточки прочитаны без такого блока, не читались 7 дней или подарок с тех пор изменён.',
  'notification.GIFT_CATEGORY_WITHOUT_REWARD.title': 'У категорий гостей нет действующего подарка',
  'notification.GIFT_CATEGORY_WITHOUT_REWARD.text':
    'У гостей есть категория подарка, который отключён здесь или в учётной системе. Уведомление закроется, когда карточки прочитаны без неё, не читались 7 дней или подарок с тех пор изменён.',
  'notification.GIFT_CANDIDATES_WAITING.title': 'Фразы в комментариях ждут решения',
  'notification.GIFT_CANDIDATES_WAITING.text':
    'Фразы, которые могут обещать подарки, больше суток ждут решения сотрудников. Уведомление закроется, когда каждая подтверждена или отклонена.',
  'notification.GIFTS_NOT_COMPARED.title': 'Подарки подключения не сверяются',
  'notification.GIFTS_NOT_COMPARED.text':
    'Подарки в заказах учётной системы 30 часов не сверялись с правами на них. Уведомление закроется после следующей сверки.',
  'notification.GIFT_HISTORIES_MISSED.title': 'Пропущенные заказы гостей не прочитаны',
  'notification.GIFT_HISTORIES_MISSED.text':
    'Учётная система не отвечала больше семи дней, и заказы некоторых гостей за это время не прочитаны и через сутки. Уведомление закроется, когда прочитаны все.',
  'notification.UNAUTHORIZED_COMPENSATION.title': 'В заказе есть подарок без права',
  'notification.UNAUTHORIZED_COMPENSATION.text':
    'В заказе учётной системы есть подарок, на который у гостя нет права или право использовано в другом заказе. Заказ остаётся как есть.',
  'notification.COMPENSATION_CANDIDATES.title': 'Комментарии гостей могут обещать подарки',
  'notification.COMPENSATION_CANDIDATES.text':
    'В комментарии гостя есть фраза из настройки gift_phrases. Сотрудник должен её подтвердить, прежде чем подарок будет выдан.',
  'notification.COMPENSATION_RETURNED.title': 'Отменённый заказ вернул подарок',
  'notification.COMPENSATION_RETURNED.text':
    'Заказ, в котором был выдан подарок, отменён в учётной системе, и гость снова получил право на подарок. Заказ указан в `details`.',
  'notification.COMPENSATION_DIVERGENCE.title': 'Учётная система и права на подарки расходятся',
  'notification.COMPENSATION_DIVERGENCE.text':
    'Заказ из другого канала использовал подарок, который удерживал наш заказ, или в заказе меньше подарков, чем обещало право, или отменённый заказ вернулся, хотя возвращённый им подарок уже используется. Также если гость заплатил за блюдо подарка или получил подарок другой организации. Заказы перечислены в `details`.',
  'notification.GIFTS_DIFFER.title': 'Подарки за день не сходятся',
  'notification.GIFTS_DIFFER.text':
    'В заказах учётной системы за день больше или меньше подарков, чем использовано прав и найдено подарков без права. Заказы указаны в `details`. Уведомление приходит снова, когда разница меняется.',
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
    'Заказу нужен способ оплаты или скидка учётной системы, но какие именно, не указали ни сотрудники, ни учётная система.',

  'readiness.CONNECTION': 'Действующее подключение к учётной системе',
  'readiness.TERMINALS': 'Терминалы учётной системы',
  'readiness.MENU': 'Опубликованное меню',
  'readiness.HOURS': 'Часы работы',
  'readiness.PAYMENT_METHODS': 'Способы оплаты',
  'readiness.ZONES': 'Зоны доставки',
  'readiness.SWITCHES': 'Включена доставка или самовывоз',
  'readiness.TEST_ORDER': 'Пробный заказ',

  'incident.ITEM_MISSING.ITEM':
    'Учётная система удалила позицию «{dish}» блюда «{product}». Она продавалась в {restaurants, plural, one {# ресторане} few {# ресторанах} many {# ресторанах} other {# ресторана}}.',
  'incident.ITEM_MISSING.SIZE':
    'Учётная система удалила размер позиции «{dish}» блюда «{product}». Он продавался в {restaurants, plural, one {# ресторане} few {# ресторанах} many {# ресторанах} other {# ресторана}}.',
  'incident.NAME_CHANGED':
    'Учётная система переименовала позицию «{dish}» блюда «{product}» в «{newName}».',
  'incident.POSSIBLE_REPLACEMENT':
    'Учётная система могла заменить позицию «{dish}» блюда «{product}». Новой может быть {candidates, plural, one {# позиция} few {# позиции} many {# позиций} other {# позиции}}.',

  'gift.ACCOUNT.met': 'Гость относится к аккаунту учётной системы этого ресторана.',
  'gift.ACCOUNT.unmet': 'Гость относится к другому аккаунту учётной системы, чем ресторан.',
  'gift.CLIENT_PHONE.met': 'Телефон гостя сохранён.',
  'gift.CLIENT_PHONE.unmet':
    'Телефон гостя не сохранён, поэтому вошедший покупатель не будет найден.',
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
  'gift.BINDING.met': 'В учётной системе есть позиция подарка.',
  'gift.BINDING.unmet': 'В этом ресторане в учётной системе нет такой позиции или размера.',
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
  'delivery.PRIORITY':
    'Место входит в несколько зон. Обслуживает зона с наименьшим номером приоритета.',
  'delivery.ERP': 'Ресторан назвала учётная система.',
  'delivery.SEVERAL_ZONES':
    'Место входит в несколько зон, и настройка `overlapping_zones` отклоняет такие места.',
  'delivery.EQUAL_PRIORITIES': 'Место входит в несколько зон с одинаковым приоритетом.',

  'violation.NO_MAIN_IMAGE': 'У блюда нет основного изображения.',
  'violation.NO_PLACEMENT': 'Блюда нет ни в одной категории.',
  'violation.NO_VARIANT': 'У блюда нет вариантов.',
  'violation.NO_LIVE_VARIANT':
    'Ни один вариант не привязан к позиции, которая ещё есть в учётной системе.',
  'violation.NO_DEFAULT_VARIANT': 'Ни один вариант не выбран по умолчанию.',
  'violation.UNSOLD_VARIANT':
    'Вариант привязан к позиции, которая является подарком или стоимостью доставки.',
  'violation.KEEPS_CATEGORY': 'Опубликованное блюдо остаётся хотя бы в одной категории.',

  'problem.validation.title': 'Неверный запрос',
  'problem.validation.detail':
    'Поле тела, запроса или пути нарушает своё правило. В `errors` первые 50 таких полей, а `errorsOmitted` считает остальные. Список со слишком многими элементами даёт одну ошибку: его элементы не проверяются.',
  'problem.malformed-body.title': 'Тело запроса не читается',
  'problem.malformed-body.detail':
    'Тело не является JSON или multipart-формой, о которых говорит его тип.',
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
  'problem.item-already-bound.title': 'Позиция привязана к другому блюду',
  'problem.item-already-bound.detail':
    'Позиция учётной системы привязана к другому блюду, которое называет `boundProduct`.',
  'problem.category-not-empty.title': 'Категория не пуста',
  'problem.category-not-empty.detail':
    'Категорию нельзя архивировать, пока в ней есть блюда или категории. Их число в `productCount`, `archivedProductCount` и `categoryCount`. Если остались только архивные блюда, её архивирует `archive_products=true`.',
  'problem.checkout-blocked.title': 'Заказ нельзя оформить',
  'problem.checkout-blocked.detail':
    'Заказ запрещает правило оформления, или он отличается от суммы, которую видел гость. Причины в `reasons`, а `preflight` — текущий результат проверок. Если был расчёт, `differences` перечисляет отличия от него.',
  'problem.cart-already-ordered.title': 'Корзина уже заказана',
  'problem.cart-already-ordered.detail': 'Корзина уже стала заказом `orderId`.',
  'problem.order-not-cancellable.title': 'Заказ уже нельзя отменить',
  'problem.order-not-cancellable.detail':
    'Заказ мог уже дойти до ресторана или завершён. Его статус в `orderStatus`.',
  'problem.compensation-taken.title': 'Подарок уже используется',
  'problem.compensation-taken.detail': 'Подарок занял или использовал другой заказ, `orderId`.',
  'problem.reason-required.title': 'Нужна причина',
  'problem.reason-required.detail':
    'Изменению подарка нужна причина, которая остаётся в его истории.',
  'problem.grant-limit-reached.title': 'Достигнут дневной предел подарков',
  'problem.grant-limit-reached.detail':
    'Число подарков, выданных пользователем вручную за 24 часа, достигло настройки `compensation_grants_per_day`.',
  'problem.media-in-use.title': 'Файл используется',
  'problem.media-in-use.detail':
    'Файл использует блюдо, категория или модификатор, и его нельзя удалить.',
  'problem.publish-blocked.title': 'Блюдо нельзя опубликовать',
  'problem.publish-blocked.detail':
    'Блюдо нарушает хотя бы одно правило публикации. Все нарушения в `violations`.',
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
  'problem.media-unreadable.detail':
    'Файл не является изображением jpeg, png или webp, или он повреждён.',
  'problem.busy.title': 'Сервис занят',
  'problem.busy.detail': 'Сервис достиг предела одновременных запросов этого вида.',
  'problem.unavailable.title': 'Сервис недоступен',
  'problem.unavailable.detail': 'Служба, которая нужна операции, например Temporal, не отвечает.',
  'problem.internal.title': 'Внутренняя ошибка',
  'problem.internal.detail':
    'Сервис неожиданно завершил запрос с ошибкой. Сообщая о ней, назовите `requestId`.',

  'attempt.NONE': 'Ответ не записан: вызов выполняется, или его процесс завершился раньше ответа.',
  'attempt.TAKEN': 'Учётная система приняла заказ.',
  'attempt.DUPLICATE': 'Заказ уже был в учётной системе после прежнего вызова.',
  'attempt.REFUSED': 'Учётная система отклонила заказ с кодом {code}.',
  'attempt.REFUSED_WITHOUT_CODE': 'Учётная система отклонила заказ без кода.',
  'attempt.NOT_SENT': 'Учётная система не обработала заказ.',
  'attempt.UNKNOWN': 'Неизвестно, есть ли заказ в учётной системе.',
  'attempt.reason.TIMEOUT': 'Она не ответила вовремя.',
  'attempt.reason.CONNECT': 'С ней не удалось соединиться.',
  'attempt.reason.SERVER': 'Она ответила ошибкой сервера.',
  'attempt.reason.RATE_LIMITED': 'Сейчас она не принимает новых запросов.',
  'attempt.reason.UNAUTHORIZED': 'Она отклонила токен.',
  'attempt.reason.FORBIDDEN': 'Учётная запись не может создавать заказы.',
  'attempt.reason.CLIENT': 'Она отклонила запрос.',
  'attempt.reason.GONE': 'В ней больше нет этой операции.',
  'attempt.reason.INVALID_ANSWER': 'Её ответ не соответствует описанию.',
  'attempt.reason.NOT_JSON': 'Её ответ не был JSON.',
  'attempt.reason.CIRCUIT_OPEN': 'Прежние запросы не удались, поэтому запрос не отправлен.',
  'attempt.reason.CREDENTIALS_REFUSED': 'Она отклонила учётные данные.',
  'attempt.reason.DISABLED': 'Подключение отключено, поэтому запрос не отправлен.',
  'attempt.reason.OWNER_INACTIVE': 'Владелец подключения не активен, поэтому запрос не отправлен.',
  'attempt.reason.NO_CONNECTION': 'Подключения нет, поэтому запрос не отправлен.',
  'attempt.reason.NOT_RECORDED': 'Причина не записана.',

  'field.required': 'Поле отсутствует или пустое.',
  'field.unknown_field': 'В запросе нет такого поля.',
  'field.type': 'У значения другой тип JSON.',
  'field.enum': 'Значения нет среди допустимых.',
  'field.format': 'У значения другая форма.',
  'field.min_length': 'В тексте слишком мало символов.',
  'field.max_length': 'В тексте слишком много символов.',
  'field.min': 'Число слишком мало.',
  'field.max': 'Число слишком велико.',
  'field.min_items': 'В списке слишком мало элементов.',
  'field.max_items': 'В списке слишком много элементов.',
  'field.too_deep': 'Слишком глубокая вложенность.',
  'field.cycle': 'Категория оказалась бы внутри самой себя.',
  'field.not_own': 'Это значение меняют в другом месте.',
  'field.duplicate': 'Значение указано дважды или уже занято.',
  'field.invalid': 'Значение нарушает правило.',
  'field.not_found': 'Значение называет то, чего нет.',
  'field.ambiguous': 'Значение называет несколько объектов.',
  'field.not_supported': 'Поле здесь нельзя использовать.',
  'field.in_use': 'Это ещё нужно чему-то другому.',
  'field.deleted': 'Этого больше нет в учётной системе.',
  'field.not_a_dish': 'Это модификатор, а не блюдо.',
  'field.without_axis': 'Значение указано без своей оси.',
  'field.item_already_bound': 'Позиция привязана к другому блюду.',
  'field.same': 'Значение совпадает с текущим, а должно отличаться.',
  'field.guessable': 'Такой пароль попробуют одним из первых.',
  'field.own_phone': 'Это телефон самого пользователя.',
  'field.item_of_reward': 'Позиция выдаётся как подарок и не продаётся.',
  'field.item_of_delivery_fee': 'Это стоимость доставки, и она не продаётся.',
  'field.item_on_sale': 'Позиция относится к блюду и не может быть подарком.',
  'field.reward_broken': 'Подарок сейчас нигде нельзя выдать.',
  'field.contains_secret': 'Текст повторяет секрет.',
  'field.unsupported_format': 'Файл другого вида.',
  'field.too_many_pixels': 'В изображении слишком много пикселей.',
  'field.damaged': 'Файл нельзя прочитать.',

  'problem.more': 'и ещё {rest}',

  'sentence.theRefreshCookieIsMissing': 'Нет cookie для обновления токена',
  'sentence.nameARestaurantOrSendAllTrue': 'Назовите ресторан или отправьте `all=true`.',
  'sentence.nameACartAnOrderOrARestaurant': 'Назовите корзину, заказ или ресторан.',
  'sentence.pagesOfThisOriginMayChangeNothingHereAdmin':
    'Страницы этого источника не могут ничего менять: его нет в ADMIN_ORIGINS.',
  'sentence.sendAValidAccessTokenAuthorizationBearer':
    'Отправьте действующий токен доступа: Authorization: Bearer …',
  'sentence.anApiKeyHasNoAccountSignInAs':
    'У ключа API нет учётной записи. Войдите как пользователь.',
  'sentence.theCartDoesNotExist': 'Такой корзины нет.',
  'sentence.theOrderDoesNotExist': 'Такого заказа нет.',
  'sentence.notFoundAmongYourRestaurants': 'Среди ваших ресторанов не найдено.',
  'sentence.yourAccessIsLimitedToRestaurantsAndThisConcerns':
    'Ваш доступ ограничен ресторанами, а это касается всей сети.',
  'sentence.mustBeOneIpAddress': 'ожидается один IP-адрес',
  'sentence.mustBeAUuid': 'ожидается UUID',
  'sentence.mustBeEmptyBecauseThisOperationTakesNoBody':
    'должно быть пустым: операция не принимает тело',
  'sentence.takesOneFile': 'принимает один файл',
  'sentence.isRequired': 'обязательно',
  'sentence.isUnknown': 'неизвестное поле',
  'sentence.mustNotRepeatAnElement': 'элементы не должны повторяться',
  'sentence.isRequiredSoThatARetryIsNotProcessed': 'обязательно, чтобы повтор не выполнился дважды',
  'sentence.mustBe1To200PrintableCharacters': 'нужно от 1 до 200 печатных символов',
  'sentence.thisOperationReadsJsonInUtf8': 'Операция читает JSON в UTF-8.',
  'sentence.thisOperationReadsBodiesPackedWithGzipDeflateOr':
    'Операция читает тела, сжатые gzip, deflate или br.',
  'sentence.isNotValid': 'неверное значение',
  'sentence.isNestedTooDeeply': 'слишком глубокая вложенность',
  'sentence.thisAddressHasTooManyOpenEventStreams':
    'С этого адреса открыто слишком много потоков событий.',
  'sentence.thisServerOpensNoMoreEventStreamsNow':
    'Сервер сейчас не открывает новых потоков событий.',
  'sentence.anotherUserHasThisEMail': 'У другого пользователя такой же e-mail',
  'sentence.anotherRoleHasThisCode': 'У другой роли такой же код',
  'sentence.anotherFranchiseeHasThisName': 'У другого франчайзи такое же название',
  'sentence.anotherLegalEntityHasThisTaxId': 'У другого юридического лица такой же ИНН',
  'sentence.thisImportIsPausedAlready': 'Этот импорт уже приостановлен',
  'sentence.thisFileIsStoredAlready': 'Этот файл уже сохранён',
  'sentence.anotherCategoryHasThisSlug': 'У другой категории такой же slug',
  'sentence.anotherAxisHasThisCode': 'У другой оси такой же код',
  'sentence.anotherOptionOfTheAxisHasThisCode': 'У другого значения оси такой же код',
  'sentence.anotherBadgeHasThisCode': 'У другой метки такой же код',
  'sentence.anotherProductHasThisSlug': 'У другого блюда такой же slug',
  'sentence.aProductHasOnePrimaryCategory': 'У блюда одна основная категория',
  'sentence.theProductHasAVariantOfThisSizeAlready': 'У блюда уже есть вариант этого размера',
  'sentence.anotherVariantOfTheProductHasThisOption': 'У другого варианта блюда такое же значение',
  'sentence.aProductHasOneDefaultVariant': 'У блюда один вариант по умолчанию',
  'sentence.anotherRewardHasThisCode': 'У другого подарка такой же код',
  'sentence.anotherRewardHasThisCategory': 'У другого подарка такая же категория',
  'sentence.anotherNoticeHasThisCode': 'У другого объявления такой же код',
  'sentence.theDateHasAnExceptionOfThisChannelAlready':
    'На эту дату уже есть исключение этого канала',
  'sentence.anotherDiscountHasThisCode': 'У другой скидки такой же код',
  'sentence.anotherPromoCodeHasTheSameCode': 'У другого промокода такой же код',
  'sentence.anotherRuleIsAboutThisRole': 'Об этой роли есть другое правило',
  'sentence.anotherUserHasJustAssignedTheseRoles':
    'Другой пользователь только что назначил эти роли',
  'sentence.theItemIsBoundToAnotherProduct': 'Позиция привязана к другому блюду',
  'sentence.noSuchMedia': 'Такого файла нет.',
  'sentence.promocodesLeadToTheDiscountOrOrdersHaveUsed':
    'К скидке ведут промокоды, или её использовали заказы. Вместо удаления отключите её.',
  'sentence.theCartHasBecomeAnOrder': 'Корзина стала заказом.',
  'sentence.theCursorBelongsToAnotherListFilterOrOrder':
    'Курсор относится к другому списку, фильтру или порядку. Начните без `after`.',
  'sentence.theFirstResponseCanNoLongerBeDecryptedUse':
    'Первый ответ больше нельзя расшифровать. Используйте новый ключ.',
  'sentence.atLeastOneActiveUserMustBeAbleTo':
    'Хотя бы один активный пользователь должен управлять пользователями',
  'sentence.noSuchKey': 'Такого ключа нет',
  'sentence.theUserWasDisabled': 'Пользователь отключён.',
  'sentence.theKeyIsRevoked': 'Ключ отозван',
  'sentence.aKeyOfTheAdminApiNeedsAPermission': 'Ключу admin API нужно право',
  'sentence.aKeyOfTheStorefrontApiHasNoPermissions': 'У ключа storefront API нет прав',
  'sentence.aKeyOfTheStorefrontApiIsForAll': 'Ключ storefront API действует для всех ресторанов',
  'sentence.mustBeInTheFuture': 'время должно быть в будущем',
  'sentence.youCannotTakeOverYourOwnApiKeysAnother':
    'Свои ключи API нельзя передать себе. Это может сделать другой пользователь.',
  'sentence.mustDifferFromTheCurrentPassword': 'должен отличаться от текущего пароля',
  'sentence.theProviderThatCustomersSignInWithDoesNot': 'Провайдер входа покупателей не отвечает.',
  'sentence.anApiKeyHasNoBrowserSendItsToken':
    'У ключа API нет браузера. Отправьте его токен в экспорт.',
  'sentence.theLinkHasExpiredWasUsedOrItsUser':
    'Ссылка истекла, использована, или её пользователь больше не может скачать файл.',
  'sentence.isEasyToGuessUseSeveralUnrelatedWords':
    'легко угадать: возьмите несколько несвязанных слов',
  'sentence.sendTheCodeOfTheAuthenticatorAppOrA':
    'Отправьте код из приложения или код восстановления',
  'sentence.eMailPasswordOrCodeIsWrong': 'Неверный e-mail, пароль или код',
  'sentence.isNotTheCurrentPassword': 'это не текущий пароль',
  'sentence.theSessionHasEndedSignInAgain': 'Сеанс завершён; войдите снова',
  'sentence.noSuchRole': 'Такой роли нет',
  'sentence.theRoleAdminAlwaysHasEveryPermission': 'У роли ADMIN всегда все права',
  'sentence.isNeitherTheCurrentCodeNorARecoveryCode': 'это не текущий код и не код восстановления',
  'sentence.removeYourOwnSecondFactorWithYourPasswordAnd':
    'Свой второй фактор удаляют с паролем и кодом',
  'sentence.theUserHasNoSecondFactor': 'У пользователя нет второго фактора',
  'sentence.thereIsAlreadyASecondFactorRemoveItFirst':
    'Второй фактор уже есть. Сначала удалите его',
  'sentence.isNotTheCurrentCode': 'это не текущий код',
  'sentence.thereIsNoSecondFactorToConfirm': 'Нет второго фактора, который можно подтвердить',
  'sentence.theSignOnWasStartedInAnotherBrowserHas':
    'Вход начат в другом браузере, истёк или уже использован. Начните снова',
  'sentence.theIdentityProviderDidNotSignYouIn': 'Провайдер не выполнил вход',
  'sentence.theIdentityProviderDoesNotRespondSignInWith':
    'Провайдер входа не отвечает. Войдите по e-mail и паролю',
  'sentence.singleSignOnIsNotConfigured': 'Единый вход не настроен',
  'sentence.mustBeAPageOfAnOriginOfThe': 'нужна страница с источником интерфейса сотрудников',
  'sentence.changeYourOwnPasswordWithPostMePasswordWhich':
    'Свой пароль меняют через POST /me/password: нужен текущий пароль',
  'sentence.onlyAChangeThatDisablesTheUserDecidesAbout':
    'О ключах API решают только при отключении пользователя',
  'sentence.notAnEMailAddress': 'Это не e-mail',
  'sentence.mustBeAPhoneWithItsCountry7999': 'нужен телефон с кодом страны: +7 999 000 11 22',
  'sentence.noSuchUser': 'Такого пользователя нет',
  'sentence.noSuchVariant': 'Такого варианта нет.',
  'sentence.onlySnoozeHasAnEnd': 'Срок есть только у SNOOZE.',
  'sentence.dismissNeedsANote': 'Для DISMISS нужна заметка.',
  'sentence.snoozeNeedsAnEnd': 'Для SNOOZE нужен срок.',
  'sentence.nameEitherIncidentidsOrAFilterThatIsNot':
    'Назовите `incidentIds` или непустой `filter`.',
  'sentence.nameEitherItemidsOrAFilterThatIsNot': 'Назовите `itemIds` или непустой `filter`.',
  'sentence.noSuchItem': 'Такой позиции нет.',
  'sentence.noSuchIncident': 'Такого инцидента нет.',
  'sentence.noSuchSizeOfAnExternalItem': 'Такого размера позиции в учётной системе нет',
  'sentence.aModifierCannotBeAVariant': 'Модификатор не может быть вариантом',
  'sentence.theExternalSystemNoLongerHasThisItem': 'Этой позиции больше нет в учётной системе',
  'sentence.mustBeAMomentAs20261201t1200': 'Нужен момент вида 2026-12-01T12:00:00Z',
  'sentence.mustBeInTheFuture2': 'Время должно быть в будущем',
  'sentence.atMostAYearAway': 'Не дальше чем через год',
  'sentence.aProductUsesThisItem': 'Эту позицию использует блюдо.',
  'sentence.noSuchBadge': 'Такой метки нет.',
  'sentence.theNameIsEmpty': 'Название пустое.',
  'sentence.moveItsProductsAndCategoriesAwayFirst': 'Сначала перенесите её блюда и категории.',
  'sentence.onlyArchivedProductsAreInItSendArchiveProducts':
    'В ней только архивные блюда. Отправьте `archive_products=true`, чтобы архивировать категорию вместе с ними.',
  'sentence.noSuchCategory': 'Такой категории нет.',
  'sentence.aCategoryCannotBeNestedInItself': 'Категорию нельзя вложить в саму себя.',
  'sentence.namedTwice': 'Указано дважды.',
  'sentence.notInThisCategory': 'Не в этой категории.',
  'sentence.theCategoryIsArchived': 'Категория в архиве.',
  'sentence.notAModifierOfThisGroup': 'В этой группе нет такого модификатора.',
  'sentence.noSuchModifierGroup': 'Такой группы модификаторов нет.',
  'sentence.noSuchModifier': 'Такого модификатора нет.',
  'sentence.nameEitherProductidsOrAFilterThatIsNot': 'Назовите `productIds` или непустой `filter`.',
  'sentence.noSuchProduct': 'Такого блюда нет.',
  'sentence.severalVariantsNeedAnAxisToChooseBy': 'Для нескольких вариантов нужна ось выбора.',
  'sentence.noSuchVariantAxis': 'Такой оси вариантов нет.',
  'sentence.theCategoryIsNamedTwice': 'Категория указана дважды.',
  'sentence.theSizeIsNamedTwice': 'Размер указан дважды.',
  'sentence.noSuchItemSize': 'Такого размера позиции нет.',
  'sentence.aModifierCannotBeAProduct': 'Модификатор не может быть блюдом.',
  'sentence.theErpNoLongerHasThisItem': 'Этой позиции больше нет в учётной системе.',
  'sentence.anOptionNeedsVariantaxiscode': 'Для значения нужен variantAxisCode.',
  'sentence.nameAnOptionOfTheAxis': 'Назовите значение оси.',
  'sentence.anotherVariantHasThisOption': 'У другого варианта такое же значение.',
  'sentence.theAxisHasNoSuchOption': 'У оси нет такого значения.',
  'sentence.onlyOneVariantIsTheDefault': 'По умолчанию может быть только один вариант.',
  'sentence.aPublishedProductKeepsAMainImage':
    'У опубликованного блюда остаётся основное изображение.',
  'sentence.aPublishedProductKeepsACategory': 'Опубликованное блюдо остаётся в категории.',
  'sentence.variantsHaveOptionsOfAnotherAxis': 'У вариантов значения другой оси.',
  'sentence.giveTheVariantThatIsThereAnOptionFirst':
    'Сначала дайте значение варианту, который уже есть: гости выбирают по значениям.',
  'sentence.theSizeBelongsToAnotherItem': 'Размер относится к другой позиции.',
  'sentence.aModifierCannotBeAVariant2': 'Модификатор не может быть вариантом.',
  'sentence.theProductHasAVariantOfThisSizeAlready2': 'У блюда уже есть вариант этого размера.',
  'sentence.severalVariantsNeedAnOptionEach': 'Каждому из нескольких вариантов нужно значение.',
  'sentence.noSuchOption': 'Такого значения нет.',
  'sentence.theAxisOfTheProductHasNoSuchOption': 'У оси блюда нет такого значения.',
  'sentence.notAVariantOfThisProduct': 'Это не вариант этого блюда.',
  'sentence.sendThePlanOfAPlan': 'Отправьте `plan` из PLAN.',
  'sentence.theSheetOrTheProductsHaveChangedSinceThe':
    'Таблица или блюда изменились после плана. Составьте новый план.',
  'sentence.theRowNamesNoProduct': 'Строка не называет блюдо.',
  'sentence.theTextHasAZeroCharacter': 'В тексте нулевой символ.',
  'sentence.theItemIsGivenAsAGiftNoProduct':
    'Позиция выдаётся как подарок. Блюдо не может её продавать.',
  'sentence.theItemIsTheDeliveryFeeNoProductCan':
    'Это стоимость доставки. Блюдо не может её продавать.',
  'sentence.noSuchAxis': 'Такой оси нет.',
  'sentence.noSuchOptionOfThisAxis': 'У этой оси нет такого значения.',
  'sentence.makeAnotherVariantTheDefaultOneInstead':
    'Вместо этого сделайте вариантом по умолчанию другой.',
  'sentence.aPublishedProductKeepsALiveVariantUnpublishIt':
    'У опубликованного блюда остаётся действующий вариант: сначала снимите блюдо с публикации или добавьте другой.',
  'sentence.anotherOptionHasThisCode': 'У другого значения такой же код.',
  'sentence.theProductIsArchived': 'Блюдо в архиве.',
  'sentence.noSuchConnection': 'Такого подключения нет',
  'sentence.theNameMustNotRepeatTheCredential': 'Название не может повторять учётные данные',
  'sentence.noSuchLegalEntity': 'Такого юридического лица нет',
  'sentence.noSuchFranchisee': 'Такого франчайзи нет',
  'sentence.theNameOfTheConnectionRepeatsThisCredential':
    'Название подключения повторяет эти учётные данные',
  'sentence.twoSecretsAreValidDeleteTheOneThatIs':
    'Действуют два секрета. Удалите тот, который больше не используется.',
  'sentence.thereIsNoSuchAddress': 'Такого адреса нет.',
  'sentence.nameAnAddressOrCoordinates': 'Назовите адрес или координаты',
  'sentence.nameAnAddressOrCoordinatesNotBoth': 'Назовите адрес или координаты, но не то и другое',
  'sentence.aLatitudeIsBetween90And90Degrees': 'Широта от -90 до 90 градусов',
  'sentence.mustNotBeEmpty': 'Не может быть пустым',
  'sentence.noSuchOrganization': 'Такой организации нет.',
  'sentence.anOrganizationIsNotCopiedToItself': 'Организацию нельзя скопировать в саму себя.',
  'sentence.noSuchExpectationRule': 'Такого правила сроков нет.',
  'sentence.noSuchNotice': 'Такого объявления нет.',
  'sentence.noSuchTimeZone': 'Такого часового пояса нет.',
  'sentence.noSuchException': 'Такого исключения нет.',
  'sentence.isNamedTwice': 'указано дважды',
  'sentence.mustBeHhMmOrAMomentWithIts': 'Нужно `HH:MM` или момент со смещением.',
  'sentence.aStopOfIntakeNeedsAStart': 'У остановки приёма должно быть начало.',
  'sentence.intakeMustContinueAfterItHasStopped': 'Приём должен продолжиться после остановки.',
  'sentence.itNeedsADate': 'Нужна дата.',
  'sentence.itMustEndAfterItBegins': 'Конец должен быть позже начала.',
  'sentence.aRuleForAllOrdersHasNoCategory': 'У правила для всех заказов нет категории.',
  'sentence.aWindowIsOpenFor24HoursAtMost':
    'Интервал длится не больше 24 часов: он должен закончиться до следующего начала.',
  'sentence.theWindowClosesBeforeItOpensDoesItCross':
    'Интервал заканчивается раньше, чем начинается. Он переходит через полночь?',
  'sentence.aClosedDayHasNoWindows': 'У выходного дня нет интервалов.',
  'sentence.specialHoursNeedAtLeastOneWindow': 'Особым часам нужен хотя бы один интервал.',
  'sentence.noSuchDeliveryZone': 'Такой зоны доставки нет',
  'sentence.mustHaveAtMostTwoDecimals': 'не больше двух знаков после запятой',
  'sentence.theOverrideMustEndAfterItBegins': 'Исключение должно закончиться позже, чем началось',
  'sentence.mustBeAfterFrom': 'Должно быть позже `from`',
  'sentence.theEndpointIsDisabled': 'Получатель отключён.',
  'sentence.mustBeAnHttpsUrl': 'Нужен URL с https',
  'sentence.mustHaveNoUserNamePasswordOrFragment': 'Без имени пользователя, пароля и фрагмента',
  'sentence.mustBeAPublicAddress': 'Нужен публичный адрес',
  'sentence.thereIsNoSuchCandidate': 'Такого кандидата нет.',
  'sentence.anActiveOrderOfTheClientHasAGift':
    'В активном заказе гостя есть подарок. Удалите данные гостя, когда заказ завершится.',
  'sentence.noSuchReward': 'Такого подарка нет.',
  'sentence.noSuchDishInTheMenusOfTheErp': 'Такой позиции нет в меню учётной системы.',
  'sentence.theItemHasNoSuchSize': 'У позиции нет такого размера.',
  'sentence.theItemIsTheDeliveryFee': 'Это стоимость доставки.',
  'sentence.thereIsNoSuchRightToAGift': 'Такого права на подарок нет.',
  'sentence.mustBeTheIdOfAClientOrA': 'нужен id гостя или телефон с кодом страны',
  'sentence.thereIsNoSuchActiveReward': 'Такого действующего подарка нет.',
  'sentence.theGiftCannotBeGivenAnywhereNow': 'Подарок сейчас нигде нельзя выдать.',
  'sentence.nameEitherClientidOrClientphone': 'Назовите `clientId` или `clientPhone`.',
  'sentence.thereIsNoSuchClient': 'Такого гостя нет.',
  'sentence.theGiftBelongsToAnotherAccountOfTheErp':
    'Подарок относится к другому аккаунту учётной системы, чем гость.',
  'sentence.usersCannotGrantGiftsToTheirOwnPhone': 'Нельзя выдать подарок на собственный телефон.',
  'sentence.thereAreSeveralAccountsOfTheErpNameThe':
    'Аккаунтов учётной системы несколько. Назовите тот, в котором заказывает гость.',
  'sentence.theGiftBelongsToAnOrganizationOfAnotherAccount':
    'Подарок относится к организации другой учётной записи.',
  'sentence.thereIsNoSuchActiveConnection': 'Такого действующего подключения нет.',
  'sentence.theFileIsNotAJpegPngOrWebp': 'Файл не является изображением jpeg, png или webp.',
  'sentence.noRevisionIsPinned': 'Ни одна версия не закреплена.',
  'sentence.mustBeWithinAYear': 'не дальше чем через год',
  'sentence.nothingIsPublishedForThisRestaurant': 'Для этого ресторана ничего не опубликовано.',
  'sentence.theMenuIsBeingBuilt': 'Меню собирается.',
  'sentence.theMenuIsLargerThan1MbAndWas':
    'Меню больше 1 МБ и не опубликовано. Сотрудники уведомлены.',
  'sentence.noActiveOrganizationHasThisId': 'Нет активной организации с этим id.',
  'sentence.theMenuCouldNotBeBuilt': 'Меню не удалось собрать.',
  'sentence.noSuchExternalMenu': 'Такого внешнего меню нет',
  'sentence.notOfThisConnection': 'Не из этого подключения',
  'sentence.noSuchPause': 'Такой паузы нет',
  'sentence.onlyMenuIsImportedByMenu': 'По меню импортируется только MENU',
  'sentence.noSuchExternalMenuOfThisConnection': 'У этого подключения нет такого внешнего меню',
  'sentence.noSuchRun': 'Такого запуска нет',
  'sentence.theRunWasNeitherRejectedBecauseOfAShrink':
    'Запуск не отклонён из-за удалений и ничего не отложил',
  'sentence.aLaterFullImportHasSucceededThereIsNothing':
    'Более поздний полный импорт успешен: принимать нечего',
  'sentence.theRunIsWritingItsDataAndEndsBy':
    'Запуск записывает данные и сам завершится в течение двух минут.',
  'sentence.theScopeNamesAnotherConnection': 'Область называет другое подключение',
  'sentence.severalConnectionsHaveThisExternalMenuNameOne':
    'Это внешнее меню есть у нескольких подключений: назовите одно',
  'sentence.theMenuIsNotImportedForThisRestaurant': 'Это меню не импортируется для этого ресторана',
  'sentence.theScopeOfThisJobIsTheIdOf': 'Область этого задания — id подключения',
  'sentence.onlyMenuCanBeImportedIncrementallyOrPlanned':
    'Частично или в плане импортируется только MENU',
  'sentence.onlyAPlanCanBeLimitedToARestaurant': 'Рестораном можно ограничить только план',
  'sentence.noSuchNotification': 'Такого уведомления нет',
  'sentence.theNotificationIsResolvedWhenItsCauseEnds':
    'Уведомление закроется, когда исчезнет его причина.',
  'sentence.tooManyRequestsChangeTheSameThingAtOnce':
    'Слишком много запросов одновременно меняют одно и то же. Ничего не изменено; повторите запрос.',
  'sentence.theDayHasNotBeenComparedYet': 'День ещё не сверялся.',
  'sentence.theDifferenceOfTheDayHasChangedOrDisappeared':
    'Разница за день изменилась или исчезла. Прочитайте день снова.',
  'sentence.thereIsNoSuchDay': 'Такого дня нет.',
  'sentence.theLastDayIsBeforeTheFirstOne': 'Последний день раньше первого.',
  'sentence.ordersAreNotAcceptedAtTheMomentBecauseThe':
    'Заказы сейчас не принимаются: сервис восстанавливается. Корзина сохраняется.',
  'sentence.theOrderWasNotMadeHereOnlyTheRestaurant':
    'Заказ сделан не здесь: его может изменить только ресторан.',
  'sentence.noSuchCompositionRule': 'Такого правила состава нет.',
  'sentence.noSuchDiscount': 'Такой скидки нет.',
  'sentence.aDiscountTakesOffAPercentageOrAnAmount': 'Скидка снимает процент или сумму.',
  'sentence.aDiscountTakesOffAPercentageOrAnAmount2':
    'Скидка снимает процент или сумму, но не то и другое.',
  'sentence.noSuchPromoCode': 'Такого промокода нет.',
  'sentence.thisDiscountNeedsNoPromoCode': 'Этой скидке не нужен промокод.',
  'sentence.nameEitherErpitemidOrVariantid': 'Назовите `erpItemId` или `variantId`.',
  'sentence.theRoleIsNamedTwice': 'Роль указана дважды.',
  'sentence.theItemHasARoleAlready': 'У позиции уже есть роль.',
  'sentence.theDiscountEndsBeforeItBegins': 'Скидка заканчивается раньше, чем начинается.',
  'sentence.theHoursEndWhenTheyBegin': 'Часы заканчиваются тогда же, когда начинаются.',
  'sentence.aDayIsNamedTwice': 'День указан дважды.',
  'sentence.neitherOrdersNorGiftsNameThisGuest': 'Этого гостя не называют ни заказы, ни подарки.',
  'sentence.noOrderOfThisAccountNamesThePhone':
    'Ни один заказ этой учётной записи не называет телефон.',
  'sentence.decisionsAboutOrdersAreDeletedAfter90Days':
    'Решения о заказах удаляются через 90 дней.',
  'sentence.theOrderIsActiveAndTheRestaurantNeedsThe':
    'Заказ активен, и ресторану нужно имя гостя. Удалите его, когда заказ завершится.',
  'sentence.theOrderIsActiveAndResolvesItsGiftsItself':
    'Заказ активен и сам решает о своих подарках.',
  'sentence.theOrderHasNoUnresolvedGifts': 'В заказе нет подарков без решения.',
  'sentence.noSuchSetting': 'Такой настройки нет.',
  'sentence.mustBeAWholeNumber': 'нужно целое число',
  'sentence.mustBeANumberOfRubles': 'нужна сумма в рублях',
  'sentence.mustBeAtLeast0': 'не может быть меньше 0',
  'sentence.mustBeAListOfPhrases': 'нужен список фраз',
  'sentence.mustBeAPhrase': 'нужна фраза',
  'sentence.mustBeAText': 'нужен текст',
  'sentence.mustBeAUrlOfHttpOrHttps': 'нужен адрес HTTP или HTTPS',
  'sentence.mustHaveAtLeastThreeLettersOrDigits': 'нужно не меньше трёх букв или цифр',
  'sentence.isInTheListAlready': 'уже есть в списке',
  'sentence.mustBeAnObject': 'нужен объект',
  'sentence.mustBeNamedByTheNumberOfAConnection': 'ключом должен быть номер подключения',
  'sentence.noSuchOrganizationIsServed': 'Такая организация не обслуживается.',
  'sentence.thisServerRunsLimitExportsAtOnce': 'Сервер одновременно выполняет экспортов: {limit}.',
  'sentence.thisOperationReadsType': 'Операция читает {type}',
  'sentence.thisOperationReadsAtMostLimitBytes': 'Операция читает не больше {limit} байт.',
  'sentence.mustContainAtMostLimitValues': 'наибольшее число значений: {limit}',
  'sentence.aPageBeginsAfterAtMostLimitItemsFilter':
    'Страница начинается не дальше чем через {limit} строк: сузьте список',
  'sentence.thePermissionPermissionIsMissing': 'Нет права {permission}',
  'sentence.thisRequiresPermissionsThatYouDoNotHavePermissions':
    'Нужны права, которых у вас нет: {permissions}',
  'sentence.theFilterMatchesMoreThanLimitIncidents':
    'Фильтр находит инцидентов больше, чем {limit}.',
  'sentence.theFilterMatchesMoreThanLimitDishes': 'Фильтр находит позиций больше, чем {limit}.',
  'sentence.theFilterMatchesMoreThanLimitProducts': 'Фильтр находит блюд больше, чем {limit}.',
  'sentence.categoriesNestAtMostLimitLevels': 'Наибольшая вложенность категорий: {limit}.',
  'sentence.theProductIsStatus': 'Статус блюда: {status}.',
  'sentence.actionNeedsIt': 'Нужно для {action}.',
  'sentence.meansNothingToAction': 'Ничего не значит для {action}.',
  'sentence.theThingIsNamedTwice': 'Указано дважды: {thing}.',
  'sentence.variantIdIsMissingNameAllOfThem': 'Нет варианта {id}: назовите все.',
  'sentence.theSheetChangesCountProductsOneImportChangesAt':
    'Таблица меняет блюд: {count}. Один импорт меняет не больше {limit}.',
  'sentence.productsIdsHaveThisArticleNumberUseTheId': 'Этот артикул у блюд {ids}. Используйте id.',
  'sentence.rowRowHasTheSameProduct': 'То же блюдо в строке {row}.',
  'sentence.atMostLimitCharacters': 'Наибольшая длина в символах: {limit}.',
  'sentence.atMostLimitCharacters2': 'Наибольшая длина в символах: {limit}',
  'sentence.mustNotContainControlOrInvisibleCharacters': 'Без управляющих и невидимых символов',
  'sentence.itemIsBoundToProduct': '«{item}» привязано к «{product}».',
  'sentence.theNextTextIsMomentMoreThan12Hours':
    'Следующее {text} — это {moment}, больше чем через 12 часов. Отправьте этот момент.',
  'sentence.mustBeInTheFutureButMomentHasPassed': 'Должно быть в будущем, но {moment} уже прошло.',
  'sentence.mustBeWithin24HoursButMomentIsLater':
    'Должно быть в течение 24 часов, но {moment} позже.',
  'sentence.theWindowOverlapsWithField': 'Интервал пересекается с {field}.',
  'sentence.theRangeHasMoreThanLimitEvents': 'Событий в промежутке больше, чем {limit}.',
  'sentence.thereAreLimitEndpointsDeleteOneFirst':
    'Получателей уже {limit}. Сначала удалите одного.',
  'sentence.theProductProductSellsTheItem': 'Позицию продаёт блюдо «{product}».',
  'sentence.theRightIsStatus': 'Статус права: {status}.',
  'sentence.theMediaIsShownInCountPlace': 'Файл показан в {count} месте.',
  'sentence.theMediaIsShownInCountPlaces': 'Мест, где показан файл: {count}.',
  'sentence.theImageHasMoreThanLimitMillionPixels': 'В изображении больше {limit} млн пикселей.',
  'sentence.revisionRevisionIsPinnedAlready': 'Версия {revision} уже закреплена.',
  'sentence.revisionRevisionOfThisRestaurantIsNotKept':
    'Версия {revision} этого ресторана не хранится.',
  'sentence.notOfThisConnectionIds': 'Не из этого подключения: {ids}',
  'sentence.jobIsNotPaused': '{job} не приостановлен.',
  'sentence.theRunHasRemovedNothingOfIds': 'Запуск ничего не удалил у {ids}',
  'sentence.theRunHasEndedAsStatus': 'Запуск завершён: {status}.',
  'sentence.thePeriodHasMoreThanLimitDays': 'В периоде дней больше, чем {limit}.',
  'sentence.aUserExportsAtMostLimitPersonsInAn':
    'Пользователь выгружает за час данные не больше {limit} гостей.',
  'sentence.mustBeOneOfValues': 'ожидается одно из значений: {values}',
  'sentence.mustBeAListOfValues': 'ожидается список из значений: {values}',
  'sentence.mustBeAtMostLimitPhrases': 'наибольшее число фраз: {limit}',
  'sentence.mustBeAFormat': 'ожидается формат {format}',
  'sentence.mustHaveAtLeastLimitCharacters': 'наименьшая длина в символах: {limit}',
  'sentence.mustHaveAtMostLimitCharacters': 'наибольшая длина в символах: {limit}',
  'sentence.mustBeAtLeastLimit': 'не может быть меньше {limit}',
  'sentence.mustBeMoreThanLimit': 'должно быть больше {limit}',
  'sentence.mustBeAtMostLimit': 'не может быть больше {limit}',
  'sentence.mustBeLessThanLimit': 'должно быть меньше {limit}',
  'sentence.mustHaveAtLeastLimitElements': 'наименьшее число элементов: {limit}',
  'sentence.mustHaveAtMostLimitElements': 'наибольшее число элементов: {limit}',
  'sentence.mustNameAtLeastOneField': 'нужно хотя бы одно поле',
  'sentence.mustNotBeEmpty2': 'не может быть пустым',
  'sentence.doesNotHaveTheExpectedForm': 'не соответствует ожидаемой форме',
  'sentence.mustNotContainTheCharacterU0000': 'не может содержать символ U+0000',
  'sentence.mustNotContainHalfOfASurrogatePair': 'не может содержать половину суррогатной пары',
  'sentence.mustBeExpected': 'ожидается {expected}',
  'sentence.noSuchBadge2': 'Такой метки нет',
  'sentence.anotherLineHasThisId': 'У другой строки такой же id.',
  'sentence.theVariantHasNoSuchModifierGroup': 'У варианта нет такой группы модификаторов.',
  'sentence.theGroupHasNoSuchModifier': 'В группе нет такого модификатора.',
  'sentence.tooManyPromocodesWereTried': 'Испробовано слишком много промокодов.',
  'sentence.theRestaurantNeedsANameToCall': 'Ресторану нужно имя для звонка.',
  'sentence.theRestaurantNeedsAPhoneToCall': 'Ресторану нужен телефон для звонка.',
  'sentence.theCustomerHasACartSendItsCartidAnd':
    'У покупателя есть корзина. Отправьте её `cartId` и `version`.',
  'sentence.replaceNamesTheOtherGiftNothingElseDoes': 'Другой подарок называет только REPLACE.',
  'sentence.anExistingCartNeedsTheVersionThatWasSeen':
    'Существующей корзине нужна прочитанная версия.',
  'sentence.theMenuHasNoSuchProduct': 'В меню нет такого блюда.',
  'sentence.theCategoryThatTheKitchenIsBusyWith': 'Нужна категория, которой занята кухня.',
  'sentence.sendAValidAccessTokenOfACustomerAuthorization':
    'Отправьте действующий токен покупателя: Authorization: Bearer …',
  'sentence.theIncidentIsClosedResolution': 'Инцидент закрыт: {resolution}.',
  'sentence.anotherUserHasSetThisPasswordChangeItFirst':
    'Этот пароль задал другой пользователь. Сначала смените его: POST /me/password',
  'sentence.setUpASecondFactorFirstPostMeSecond':
    'Сначала настройте второй фактор: POST /me/second-factor',
  'sentence.tooManySignInAttempts': 'Слишком много попыток входа',
  'sentence.tooManyWrongCodes': 'Слишком много неверных кодов',
  'sentence.tooManyWrongPasswords': 'Слишком много неверных паролей',
  'sentence.aQuoteIsNotClosedOrMisplaced': 'Кавычка не закрыта или не на месте.',
  'sentence.aCellHasMoreThanLimitCharacters': 'В ячейке символов больше, чем {limit}.',
  'sentence.atMostLimitColumns': 'Наибольшее число столбцов: {limit}.',
  'sentence.theFileIsNotUtf8SaveItAs': 'Файл не в UTF-8. Сохраните его как «CSV UTF-8».',
  'sentence.atMostLimitRows': 'Наибольшее число строк: {limit}.',
  'sentence.cellNumberOfTheRowHasNoColumn': 'У ячейки {number} этой строки нет столбца.',
  'sentence.theSheetHasNoColumnIdOrSku': 'В таблице нет столбца id или sku.',
  'sentence.theSheetHasAnUnknownColumn': 'В таблице неизвестный столбец.',
  'sentence.theSheetHasThisColumnTwice': 'Этот столбец в таблице дважды.',
  'sentence.theResponseOfTheIdentityProviderIsInvalid': 'Ответ провайдера входа неверен',
  'sentence.theIdentityProviderHasNotVerifiedYourEMail': 'Провайдер входа не подтвердил ваш e-mail',
  'sentence.noUserHasYourEMailAskAnAdministrator':
    'Пользователя с вашим e-mail нет. Попросите доступ у администратора',
  'sentence.yourAccessWasDisabledAskAnAdministrator':
    'Ваш доступ отключён. Обратитесь к администратору',
  'sentence.theUserWithYourEMailBelongsToAnother':
    'Пользователь с вашим e-mail связан с другой учётной записью провайдера',
  'sentence.onlyAnOrderThatHasFailedIsSentAgain':
    'Повторно отправляют только заказ, который не удалось передать.',
  'sentence.theOrderEndedWithoutAClearAnswerOfThe':
    'Учётная система не дала ясного ответа, и заказ может быть в ресторане. Позвоните туда.',
  'sentence.theERPHasTheOrderAskTheRestaurantWhether':
    'Заказ есть в учётной системе. Уточните в ресторане, готовят ли его.',
  'sentence.theERPKeepsTheRejectedOrderUnderItsId':
    'Учётная система хранит отклонённый заказ под его номером и второй не примет. Пусть гость закажет заново.',
  'sentence.aCallWithoutAnAnswerWasMadeAMoment':
    'Только что был вызов без ответа, и учётная система ещё может создать заказ. Подождите две минуты.',
  'sentence.aCallHasNoAnswerAndTheERPDoes':
    'На вызов нет ответа, и учётная система сейчас не сообщает, есть ли у неё заказ. Повторите позже.',
  'sentence.theDataOfTheGuestWasErasedSoThe':
    'Данные гостя удалены, поэтому ресторан не сможет выполнить заказ.',
  'sentence.theTimeOfTheOrderHasPassedOrIts':
    'Время заказа прошло, или его интервал больше не предлагается. Пусть гость закажет заново.',
  'sentence.theRestaurantDoesNotAcceptSuchOrdersAtThe':
    'Ресторан сейчас не принимает такие заказы.',
  'sentence.theRestaurantOrItsConnectionIsDisabled': 'Ресторан или его подключение отключены.',
  'sentence.aDiscountOfTheOrderWasUsedUpMeanwhile':
    'Скидка заказа уже исчерпана, поэтому его сумма больше не действует.',
  'sentence.nameEitherCodesOrACount': 'Укажите либо `codes`, либо `count`.',
  'sentence.prefixAndLengthAreForRandomCodes':
    '`prefix` и `length` нужны только для случайных кодов.',
  'sentence.tooFewCodesOfThisLengthAreFreeChoose':
    'Свободных кодов такой длины слишком мало. Выберите большую длину.',
  'sentence.theRunWasRejectedForDishesOfThe':
    'Импорт отклонён из-за блюд всего меню. Разрешите его для всех ресторанов.',
  'sentence.theSecretOfTheWebhookIsMissingOrWrongSend':
    'Секрет вебхука не передан или неверен. Передайте его в заголовке `Authorization` или в параметре `token`.',
  'sentence.mustBeExpectedOrAUuid': 'ожидается {expected} или UUID',
  'sentence.theErpListsNoSuchId': 'В списках учётной системы нет такого id.',
  'sentence.ordersAreTakenForDeliveryAndPickup': 'Заказы принимаются для DELIVERY и PICKUP.',
  'sentence.aStopOfIntakeHasAStartAndAnEnd': 'У остановки приёма есть начало и конец, а не дата.',
  'sentence.aStopOfIntakeHasNoWindows': 'У остановки приёма нет интервалов.',
  'sentence.unknownNameNameKnownNames': 'Неизвестное имя «{name}». Можно использовать: {names}.',
  'sentence.theSignalSignalCannotRequestAChangeUseDismissed':
    'Сигнал {signal} не может запросить изменение. Используйте dismissed, snoozed или обновление.',
  'sentence.categoryIdSentence': 'Категория {id}: {sentence}',
  'sentence.theImageIsDamaged': 'Изображение повреждено.',
  'sentence.connectionConnectionHasNoRunRun': 'У подключения {connection} нет запуска {run}.',
  'sentence.theRunHasEndedAsStatusReason': 'Запуск завершён: {status} ({reason}).',
  'sentence.noExecutionWithTheIdIdTakesUpdates':
    'Исполнения с id {id}, которое принимает обновления, нет.',
  'sentence.jobIsPausedReason': '{job} приостановлен: {reason}',
  'word.or': 'или',
  'word.integer': 'целое число',
  'word.number': 'число',
  'word.string': 'текст',
  'word.boolean': 'да или нет',
  'word.array': 'список',
  'word.object': 'объект',
  'word.null': 'пусто',
  'word.media': 'картинка',
  'word.badge': 'метка',
  'word.organization': 'ресторан',
  'word.variant': 'вариант',
  'word.no reason': 'без причины',
};
