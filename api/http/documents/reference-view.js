/**
 * A plugin of Swagger UI: shows the samples of an operation (`x-codeSamples`) above its parameters,
 * with the origin of the page in place of `sampleHost`.
 */
const codeSamplesView =
  (sampleHost) =>
  ({ React }) => {
    const h = React.createElement;

    function CodeSamples({ samples }) {
      const [chosen, choose] = React.useState(0);
      const text = samples[chosen].source.replaceAll(
        new RegExp(`\\w+://${sampleHost}`, 'g'),
        location.origin,
      );
      const tabs = samples.map(({ label }, index) =>
        h(
          'button',
          {
            key: label,
            type: 'button',
            role: 'tab',
            'aria-selected': index === chosen,
            onClick: () => choose(index),
          },
          label,
        ),
      );
      const copy = { type: 'button', onClick: () => navigator.clipboard.writeText(text) };
      return h(
        'div',
        { className: 'code-samples' },
        h(
          'div',
          { role: 'tablist', 'aria-label': 'Code samples' },
          tabs,
          h('button', copy, 'Copy'),
        ),
        h('pre', { tabIndex: 0 }, h('code', null, text)),
      );
    }

    const withSamples = (Parameters) => (props) => {
      const samples = props.operation.get('x-codeSamples')?.toJS() ?? [];
      const shown = samples.length === 0 ? null : h(CodeSamples, { samples });
      return h(React.Fragment, null, shown, h(Parameters, props));
    };
    return { wrapComponents: { parameters: withSamples } };
  };

/**
 * Returns a function that shows the description at a URL in an element of the page. It contains no
 * link to the vendor and sends no request to another server.
 */
globalThis.referenceOf = (sampleHost) => (domNode, url) =>
  SwaggerUIBundle({
    domNode,
    url,
    plugins: [codeSamplesView(sampleHost)],
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: 'none',
    queryConfigEnabled: false,
  });
