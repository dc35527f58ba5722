import { expect } from '@jest/globals';
import type { TextKey } from '../../../packages/console/src/texts/en/index.ts';
import type { Browser } from '../../support/browser.ts';
import type { ConsolePage, FieldValue } from '../../e2e/console/console-page.ts';
import { formatText } from '../../e2e/console/drill.ts';

type FieldValues = Readonly<Record<string, FieldValue>>;

/** An action of a screen, pressed as a person does, and the record that it changes. */
export type ScreenAction = {
  path: string;
  /**
   * A text of the row whose button is pressed, or a pattern of its first cell; without one, a
   * button of the whole screen.
   */
  row?: string | RegExp;
  button: TextKey;
  fields?: FieldValues;
  /** The button of the form, if it has another label than the button of the screen. */
  submit?: TextKey;
  /** True if the page is loaded again first, because the test has just created the record. */
  isNew?: boolean;
  /** True if the dialog stays and shows something, such as a secret. */
  staysOpen?: boolean;
};

/** Types and presses in English screens with the mouse. */
export function screenHands(page: ConsolePage, browser: Browser) {
  const text = (key: TextKey, values?: Record<string, string | number>) =>
    formatText('en', key, values);
  const inDialog = (selector: string) => `[role=dialog] ${selector}`;

  /** Sets a field of the form in the dialog. */
  const setField = (name: string, value: FieldValue): Promise<void> =>
    page.set(inDialog(`[name=${JSON.stringify(name)}]`), value);

  /** Presses a button of the screen, or of the row with a text. */
  async function press(button: string, row?: string | RegExp): Promise<void> {
    if (row === undefined) return page.press('main button', button);
    const found = `['main tbody tr', 'main [role=row]', 'main li'].flatMap((rows) => [...document.querySelectorAll(rows)]).find((each) => ${row instanceof RegExp ? `${String(row)}.test(each.cells?.[0].textContent)` : `each.textContent.includes(${JSON.stringify(row)})`})`;
    await browser.until(`the row ${String(row)}`, found);
    await browser.run(
      `(() => { delete document.querySelector('[data-pressed]')?.dataset.pressed; ${found}.dataset.pressed = ''; })()`,
    );
    await page.press('[data-pressed] button', button);
  }

  return {
    text,
    inDialog,
    press,
    setField,
    /** Runs an action of a screen and waits until the console confirms it. */
    async run({ path, row, button, fields, submit, ...options }: ScreenAction): Promise<void> {
      if (options.isNew === true) await page.open(path);
      await page.show(path);
      await page.confirmed(async () => {
        await press(text(button), row);
        if (fields === undefined) return;
        for (const [name, value] of Object.entries(fields)) await setField(name, value);
        await page.press(inDialog('button'), text(submit ?? button));
      });
      if (options.staysOpen !== true) await page.closed();
    },
    /** The text that the dialog shows once, such as a secret. Closes the dialog. */
    async takeSecret(): Promise<string> {
      await page.sees(text('keys.tokenText'));
      const secret = await browser.run<string>(
        `document.querySelector('[role=dialog] pre').textContent.trim()`,
      );
      await page.press(inDialog(`button[aria-label="${text('action.close')}"]`));
      await browser.until(
        'the secret is gone',
        `!document.body.textContent.includes(${JSON.stringify(secret)})`,
      );
      expect(secret.length).toBeGreaterThan(20);
      return secret;
    },
  };
}
