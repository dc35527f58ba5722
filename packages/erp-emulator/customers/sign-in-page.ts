/** `wrong`: the previous invalid input. */
export function signInPage(wrong?: string): string {
  const fault =
    wrong === undefined
      ? ''
      : '<p role="alert">This is not a phone number. Begin with + and the country code.</p>';

  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sign in</title>
    <style>
      body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto; padding: 0 1rem; }
      input, button { font: inherit; width: 100%; box-sizing: border-box; padding: 0.6rem; margin-top: 0.5rem; }
    </style>
  </head>
  <body>
    <h1>Sign in</h1>
    <p>This is a demo: every phone number is accepted, and no message is sent.</p>
    <form method="post">
      <label for="phone">Phone number</label>
      <input id="phone" name="phone" type="tel" autocomplete="tel" required placeholder="+79990001122" autofocus>
      ${fault}
      <button>Continue</button>
    </form>
  </body>
</html>
`;
}
