const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for an element or an attribute. */
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

type Attributes = Readonly<Record<string, string | number>>

const round = (value: string | number) => (typeof value === 'number' ? Number(value.toFixed(1)) : value)

/** Creates an element. `content` must already be SVG. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(String(round(value)))}"`,
  )
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`
}

export const text = (x: number, y: number, content: string, attributes: Attributes = {}): string =>
  element('text', { x, y, ...attributes }, escapeXml(content))

/**
 * The picture has its own background and colours, light or dark by the reader's system setting, so it is
 * readable on any page. Text on fills is dark in both; line colours differ.
 */
const style = `
svg{--ground:#fff;--ink:#1f2328;--soft:#59636e;--rule:#d1d9e0;--line0:#0b5cad;--line1:#b3480a;--line2:#4d5866}
@media (prefers-color-scheme:dark){svg{--ground:#1b1b1f;--ink:#f0f3f6;--soft:#b7bdc8;--rule:#3d444d;--line0:#79b8ff;--line1:#ffab70;--line2:#c3cad5}}
.ground{fill:var(--ground)}text{fill:var(--ink)}.soft{fill:var(--soft)}.rule{stroke:var(--rule)}
.strong{font-weight:600}.number{text-anchor:end;font-variant-numeric:tabular-nums}
.part{stroke:var(--ground);stroke-width:1}.part0{fill:#6aa5f0}.part1{fill:#efa143}.part2{fill:#5bbd86}.part3{fill:#a4abb6}
.line{fill:none;stroke-width:2}.line0{stroke:var(--line0)}.line1{stroke:var(--line1);stroke-dasharray:7 4}.line2{stroke:var(--line2);stroke-dasharray:2 4}
.dot0{fill:var(--line0)}.dot1{fill:var(--line1)}.dot2{fill:var(--line2)}
`

interface Picture {
  readonly width: number
  readonly height: number
  readonly title: string
  /** The figures as text, for people who cannot see the picture. */
  readonly description: string
  readonly content: readonly string[]
}

/** A complete SVG file. */
export function svg({ width, height, title, description, content }: Picture): string {
  const parts = [
    element('title', { id: 'title' }, escapeXml(title)),
    element('desc', { id: 'description' }, escapeXml(description)),
    `<style>${style}</style>`,
    element('rect', { class: 'ground', width, height, rx: 6 }),
    text(16, 28, title, { class: 'strong', 'font-size': 15 }),
    ...content,
  ]
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-labelledby': 'title description',
    'font-family': 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
    'font-size': 12,
  }
  return `${element('svg', attributes, `\n${parts.join('\n')}\n`)}\n`
}
