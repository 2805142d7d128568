/** A window that this page opened. */
export interface Popup {
  readonly closed: boolean
  close(): void
  focus(): void
  postMessage(message: unknown, targetOrigin: string, transfer: readonly object[]): void
}

export interface PageMessage {
  readonly data: unknown
  readonly origin: string
  readonly source: unknown
}

/**
 * The part of a browser's window that this package uses. It is declared here because some programs that use
 * the package compile without DOM types.
 */
interface Page {
  readonly location: { readonly origin: string }
  readonly localStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void }
  open(url: string, target: string, features: string): Popup | null
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void
  addEventListener(type: string, listener: () => void): void
  removeEventListener(type: 'message', listener: (event: PageMessage) => void): void
  dispatchEvent(event: Event): boolean
}

/** The window; undefined on a server. */
export function findPage(): Page | undefined {
  const found: unknown = Reflect.get(globalThis, 'window')
  return found as Page | undefined // a window has all these members
}
