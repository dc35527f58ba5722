import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import { en } from '../../../packages/console/src/texts/en/index.ts';
import type { Browser } from '../../support/browser.ts';
import { eventually } from '../../support/processes.ts';

export type ConsolePage = ReturnType<typeof consolePage>;

/** The value of a field: a text, an option, the state of a box, or the chosen boxes of a set. */
export type FieldValue = string | boolean | readonly string[];

/** English words that the Russian console must not show. */
const ENGLISH = new Set(
  Object.values(en).flatMap((text) =>
    [...text.replaceAll(/\{[^{}]*\}/g, ' ').matchAll(/[A-Za-z]{4,}/g)].map(([word]) =>
      word.toLowerCase(),
    ),
  ),
);
const NAMES = new Set(['carte', 'sberpay', 'temporal']);

const REST_MS = 50;

/** `log` reports the download of axe-core. */
export function consolePage(browser: Browser, origin: string, log: (line: string) => void) {
  const is = (expression: string) => `Boolean(${expression})`;
  const byText = (selector: string, text: string) =>
    `[...document.querySelectorAll(${JSON.stringify(selector)})].find((each) => each.textContent.trim().includes(${JSON.stringify(text)}))`;
  /** The middle of a clickable element, null if it is covered, disabled or missing. */
  const findPoint = (selector: string, text: string) => `(() => {
    const all = [...document.querySelectorAll(${JSON.stringify(selector)})].filter((each) => each.checkVisibility());
    const wanted = ${JSON.stringify(text)};
    const found = all.find((each) => each.textContent.trim() === wanted) ?? all.find((each) => each.textContent.includes(wanted));
    if (found === undefined || found.getAttribute('aria-disabled') === 'true' || found.disabled === true) return null;
    found.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = found.getClientRects()[0];
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    return hit !== null && found.contains(hit) ? [x, y] : null;
  })()`;
  const loaded = `document.querySelector('main h1')?.checkVisibility() === true && document.querySelector('main [role=status][aria-label], main [aria-busy=true]') === null && document.querySelector('main').dataset.screen === location.pathname.replace('/console', '')`;

  return {
    async open(path = ''): Promise<void> {
      await browser.open(`${origin}/console${path}`);
      await browser.until('the page is there', `document.querySelector('h1')`);
    },
    async show(path: string): Promise<void> {
      await browser.run(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)})`);
      await browser.until(
        `the screen ${path}`,
        `location.pathname + location.search === ${JSON.stringify(`/console${path}`)} && ${loaded}`,
      );
    },
    async signIn(email: string, password: string): Promise<void> {
      for (const [name, value] of Object.entries({ email, password })) {
        await browser.run(`document.querySelector('input[name=${name}]').focus()`);
        await browser.type(value);
      }
      await browser.press('Enter');
      await browser.until('the frame', `document.querySelector('#content')`);
    },
    /** Opens the console in English and signs in. */
    async enter({ email, password }: { email: string; password: string }): Promise<void> {
      await this.open();
      await browser.run(`localStorage.setItem('carte-console-language', 'en')`);
      await this.open();
      await this.signIn(email, password);
    },
    /** Sets the network, by default as it is without a limit. `latency` in milliseconds. */
    async setNetwork({ offline = false, latency = 0 } = {}): Promise<void> {
      await browser.command('Network.enable');
      await browser.command('Network.emulateNetworkConditions', {
        offline,
        latency,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    },
    async switchTo(language: 'en' | 'ru'): Promise<void> {
      await this.show('/account');
      if ((await browser.run('document.documentElement.lang')) === language) return;
      await this.click('button', language === 'en' ? 'English' : 'Русский');
      await browser.until(language, `document.documentElement.lang === '${language}' && ${loaded}`);
    },
    async click(selector: string, text = ''): Promise<void> {
      await browser.until(
        `${text} ${selector}`,
        `(() => { const found = ${byText(selector, text)}; found?.click(); return found !== undefined; })()`,
      );
    },
    /** Clicks once the element is visible, enabled and at rest. */
    async press(selector: string, text = ''): Promise<void> {
      const what = `something to click: ${selector} ${text}`;
      const [x, y] = await eventually(what, async () => {
        const points = await browser.run<([number, number] | null)[]>(
          `new Promise((resolve) => { const point = ${findPoint(selector, text)}; setTimeout(() => resolve([point, ${findPoint(selector, text)}]), ${REST_MS}); })`,
        );
        return String(points[0]) === String(points[1]) ? (points[1] ?? undefined) : undefined;
      });
      await browser.clickAt(x, y);
    },
    async fill(selector: string, text: string): Promise<void> {
      await browser.until(selector, `document.querySelector(${JSON.stringify(selector)})`);
      await browser.run(
        `(() => { const field = document.querySelector(${JSON.stringify(selector)}); field.focus(); field.select?.(); })()`,
      );
      await browser.type(text);
    },
    /** Sets a field, all at once unlike `fill`. An option is named by its value or its text. */
    async set(selector: string, value: FieldValue): Promise<void> {
      await browser.until(
        `the field ${selector} with its options`,
        `(() => {
          const fields = [...document.querySelectorAll(${JSON.stringify(selector)})];
          const value = ${JSON.stringify(value)};
          const [field] = fields;
          if (field === undefined) return false;
          if (field.type === 'checkbox') {
            const isOn = (box) => (Array.isArray(value) ? value.includes(box.value) : value);
            for (const box of fields) if (box.checked !== isOn(box)) box.click();
            return true;
          }
          const options = [...(field.options ?? [])];
          const option = options.find((each) => each.value === value) ?? options.find(({ text }) => text === value);
          const isChoice = field.matches('select');
          if (isChoice && option === undefined) return false;
          Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, isChoice ? option.value : value);
          field.dispatchEvent(new Event(isChoice ? 'change' : 'input', { bubbles: true }));
          return true;
        })()`,
      );
    },
    /** Runs an action and waits until the console confirms it. Ignores older confirmations. */
    async confirmed(act: () => Promise<void>): Promise<void> {
      const toasts = `[class*=toasts] > div`;
      await browser.run(
        `document.querySelectorAll('${toasts}').forEach((toast) => (toast.dataset.old = ''))`,
      );
      await act();
      await browser.until(
        'the console confirms it',
        `document.querySelector('${toasts}:not([data-old])')`,
      );
    },
    closed: (): Promise<void> =>
      browser.until('the dialog is closed', `document.querySelector('[role=dialog]') === null`),
    sees: (text: string): Promise<void> =>
      browser.until(
        `the text "${text}"`,
        is(`document.body.innerText.includes(${JSON.stringify(text)})`),
      ),
    /** English words in the page, except code and texts that people wrote. */
    async englishWords(): Promise<string[]> {
      const texts = await browser.run<string[]>(`(() => {
        const found = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode())
          if (walker.currentNode.parentElement.closest('code, pre, kbd, script, [translate=no]') === null) found.push(walker.currentNode.textContent);
        for (const each of document.querySelectorAll('[aria-label], [placeholder], [title]'))
          for (const name of ['aria-label', 'placeholder', 'title']) found.push(each.getAttribute(name) ?? '');
        return found;
      })()`);
      const words = texts.flatMap((text) =>
        [...text.matchAll(/[A-Za-z]{4,}/g)].map(([word]) => word.toLowerCase()),
      );
      return [...new Set(words)].filter((word) => ENGLISH.has(word) && !NAMES.has(word));
    },
    async findings(): Promise<object[]> {
      const modules = await toolFolder('axe-core', log);
      if (!(await browser.run<boolean>('Boolean(globalThis.axe)')))
        await browser.run(await readFile(join(modules, 'axe-core/axe.min.js'), 'utf8'));
      return browser.run(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html.slice(0, 200)).slice(0, 3) })))`,
      );
    },
    /** Errors except the session request before the sign-in and hints of the graphics driver. */
    errors: (): string[] =>
      browser.errors().filter((error) => !/\/auth\/refresh|GL Driver Message/.test(error)),
    isTooWide: (): Promise<boolean> =>
      browser.run('document.documentElement.scrollWidth > innerWidth'),
  };
}
