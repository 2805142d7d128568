/** Returns an element that the page always contains. */
export function byId<element extends HTMLElement>(id: string, type: new () => element): element {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new TypeError(`The page has no ${type.name} #${id}`)
}

/** Creates an element. Content is text only: data from a chain or a file is never treated as HTML. */
export function make<tag extends keyof HTMLElementTagNameMap>(
  tag: tag,
  properties: Partial<HTMLElementTagNameMap[tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/** The selected radio button of a group. */
export function chosen(form: HTMLFormElement, name: string): string {
  return new FormData(form).get(name)?.toString() ?? ''
}
