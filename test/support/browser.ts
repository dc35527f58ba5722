import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startGuarded } from '../../tools/guarded-process.ts';
import { eventually } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Browser = {
  open(url: string): Promise<void>;
  /** Evaluates an expression in the page and awaits its promise. Rethrows errors of the page. */
  run<T>(expression: string): Promise<T>;
  until(what: string, expression: string): Promise<void>;
  press(key: Key, options?: { control?: boolean; shift?: boolean }): Promise<void>;
  clickAt(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  screenshot(file: string): Promise<void>;
  command(method: string, params?: object): Promise<void>;
  /** Console warnings and errors, and violations of the content security policy. */
  errors(): readonly string[];
  stop(): Promise<void>;
};

const KEYS = {
  Tab: { code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  Escape: { code: 'Escape', windowsVirtualKeyCode: 27 },
  Space: { key: ' ', code: 'Space', windowsVirtualKeyCode: 32, text: ' ' },
  Delete: { code: 'Delete', windowsVirtualKeyCode: 46 },
  ArrowUp: { code: 'ArrowUp', windowsVirtualKeyCode: 38 },
  ArrowDown: { code: 'ArrowDown', windowsVirtualKeyCode: 40 },
  ArrowLeft: { code: 'ArrowLeft', windowsVirtualKeyCode: 37 },
  ArrowRight: { code: 'ArrowRight', windowsVirtualKeyCode: 39 },
  k: { code: 'KeyK', windowsVirtualKeyCode: 75 },
} as const;
export type Key = keyof typeof KEYS;

const [CONTROL, SHIFT] = [2, 8];

type Message = {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
};
type Evaluated = {
  result: { value?: unknown };
  exceptionDetails?: { exception?: { description?: string }; text: string };
};
type Entry = {
  entry?: { level: string; text: string; url?: string };
  type?: string;
  args?: { value?: unknown; description?: string }[];
};

export async function startBrowser(
  program: string,
  size = { width: 1280, height: 900 },
): Promise<Browser> {
  const profile = await temporaryFolder('chromium');
  const browser = await startGuarded({
    command: program,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--enable-unsafe-swiftshader',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--force-device-scale-factor=1',
      `--window-size=${size.width},${size.height}`,
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    cwd: profile,
    stopSignal: 'KILL',
    output: () => undefined,
    deleteFolder: profile,
  });
  const port = await eventually('Chromium listens', async () => {
    const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
    return text.split('\n')[0] || undefined;
  });
  const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(pages.find(({ type }) => type === 'page')!.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });

  let last = 0;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const errors: string[] = [];
  socket.onmessage = ({ data }) => {
    const { id = 0, method, params, result, error } = JSON.parse(String(data)) as Message;
    const { entry, type, args } = (params ?? {}) as Entry;
    if (method === 'Log.entryAdded' && ['warning', 'error'].includes(entry!.level))
      errors.push(`${entry!.text} ${entry!.url ?? ''}`);
    if (method === 'Runtime.consoleAPICalled' && ['warning', 'error'].includes(type!))
      errors.push(args!.map((arg) => arg.description ?? JSON.stringify(arg.value)).join(' '));
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error.message));
    waiting.delete(id);
  };
  const send = <T>(method: string, params: object = {}): Promise<T> => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set((last += 1), answer);
    socket.send(JSON.stringify({ id: last, method, params }));
    return answer.promise as Promise<T>;
  };
  await Promise.all([send('Page.enable'), send('Runtime.enable'), send('Log.enable')]);

  async function run<T>(expression: string): Promise<T> {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await send<Evaluated>('Runtime.evaluate', options);
    if (exceptionDetails !== undefined)
      throw new Error(
        `${exceptionDetails.exception?.description ?? exceptionDetails.text} in ${expression.slice(0, 200)}`,
      );
    return result.value as T;
  }

  return {
    run,
    open: async (url) => void (await send('Page.navigate', { url })),
    until: async (what, expression) =>
      void (await eventually(what, async () =>
        (await run<boolean>(`Boolean(${expression})`)) ? true : undefined,
      )),
    async press(name, { control = false, shift = false } = {}) {
      const key = {
        key: name,
        ...KEYS[name],
        modifiers: (control ? CONTROL : 0) + (shift ? SHIFT : 0),
      };
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    },
    async clickAt(x, y) {
      const at = { x, y, button: 'left', clickCount: 1 };
      await send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
      await send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
      await send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
    },
    type: async (text) => void (await send('Input.insertText', { text })),
    async screenshot(file) {
      const { data } = await send<{ data: string }>('Page.captureScreenshot', {
        format: 'webp',
        quality: 70,
      });
      await writeFile(file, Buffer.from(data, 'base64'));
    },
    command: async (method, params) => void (await send(method, params)),
    errors: () => errors,
    async stop() {
      socket.close();
      await browser.stop();
    },
  };
}
