/** An element of the page that is always there. */
export function byId<element extends HTMLElement>(id: string, type: new () => element): element {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new TypeError(`The page has no ${type.name} #${id}`)
}

/** Makes an element. Text only: nothing that comes from a chain or a file is ever HTML here. */
export function make<tag extends keyof HTMLElementTagNameMap>(
  tag: tag,
  properties: Partial<HTMLElementTagNameMap[tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/** The chosen radio button of a group. */
export function chosen(form: HTMLFormElement, name: string): string {
  return new FormData(form).get(name)?.toString() ?? ''
}
