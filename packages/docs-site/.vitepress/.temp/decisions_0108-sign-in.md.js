import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"108. Staff sign in with strong passwords and optional TOTP, or through OpenID Connect","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0108-sign-in.md","filePath":"docs/decisions/0108-sign-in.md"}',
);
const _sfc_main = { name: 'decisions/0108-sign-in.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="108-staff-sign-in-with-strong-passwords-and-optional-totp-or-through-openid-connect" tabindex="-1">108. Staff sign in with strong passwords and optional TOTP, or through OpenID Connect <a class="header-anchor" href="#108-staff-sign-in-with-strong-passwords-and-optional-totp-or-through-openid-connect" aria-label="Permalink to &quot;108. Staff sign in with strong passwords and optional TOTP, or through OpenID Connect&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A renewed session never ended, a stranger&#39;s ten wrong passwords locked the owner out, weak passwords were accepted, and a stolen password opened an administrator&#39;s account.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>OpenID Connect uses the code flow with PKCE by <code>openid-client</code>. The database stores digests only. Roles never come from claims. <code>OIDC_DEFAULT_ROLE</code> needs <code>OIDC_EMAIL_DOMAINS</code> in production and may not be ADMIN.</li><li>Sessions end after 30 days, or 12 hours for sign-on users and holders of <code>users.manage</code>.</li><li>The refresh cookie is <code>__Host-</code>, HttpOnly and SameSite=Strict. Changes need an <code>Origin</code> in <code>ADMIN_ORIGINS</code> or this server; requests without <code>Origin</code> are programs.</li><li>Wrong passwords are counted per account and address (10 in 15 minutes), per address (50) and per account in unknown browsers (25). A signed cookie marks a known browser.</li><li>Passwords need 100 million guesses by <code>@zxcvbn-ts/core</code>, judged by the first 32 characters.</li><li>TOTP codes are sent with the sign-in request and work once, by database time (<code>otpauth</code>). Ten recovery codes have 120 random bits.</li><li><code>SECOND_FACTOR_FOR_ADMINISTRATORS</code> is an environment variable, so that no session can switch it off.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Administrators cannot remove their own second factor.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Passkeys: they need a page of ours at a fixed origin. SMS or mail codes: readable in transit. Remembered browsers without a code: a stolen cookie would be a factor.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0108-sign-in.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0108SignIn = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0108SignIn as default };
