import type { Browser, Key } from '../../support/browser.ts';

const MOST_PRESSES = 250;

export function keyboard(browser: Browser) {
  const hasFocus = (selector: string, text: string) =>
    browser.run<boolean>(
      `Boolean(document.activeElement?.matches(${JSON.stringify(selector)}) && document.activeElement.textContent.includes(${JSON.stringify(text)}))`,
    );
  async function pressUntil(
    key: Key,
    shift: boolean,
    selector: string,
    text: string,
  ): Promise<void> {
    for (let press = 0; press < MOST_PRESSES; press += 1) {
      if (await hasFocus(selector, text)) return;
      await browser.press(key, { shift });
    }
    throw new Error(`${MOST_PRESSES} times ${key} did not reach ${selector} ${text}`);
  }

  return {
    tabTo: (selector: string, text = '') => pressUntil('Tab', false, selector, text),
    tabBackTo: (selector: string, text = '') => pressUntil('Tab', true, selector, text),
    /** Moves the focus with arrow keys inside a widget that has one tab stop. */
    arrowTo: (key: Key, selector: string, text = '') => pressUntil(key, false, selector, text),
    press: (key: Key) => browser.press(key),
    type: (text: string) => browser.type(text),
  };
}
