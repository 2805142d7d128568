import type { MessagePort } from 'node:worker_threads'
import { vi } from 'vitest'
import {
  type ConnectRequest,
  type HandshakeMessage,
  type Invitation,
  readInvitation,
} from '../src/protocol.ts'

export const walletOrigin = 'https://wallet.example'
export const pageOrigin = 'https://app.example'

interface PopupMessage {
  readonly message: HandshakeMessage
  readonly targetOrigin: string
  readonly port: MessagePort
}

/** A window that the page opened. */
export class FakePopup {
  closed = false
  focused = 0
  readonly url: string
  readonly invitation: Invitation
  readonly connected = Promise.withResolvers<PopupMessage>()

  constructor(url: string) {
    this.url = url
    const invitation = readInvitation(new URL(url).hash)
    if (!invitation) throw new TypeError(`${url} is not an invitation`)
    this.invitation = invitation
  }
  close() {
    this.closed = true
  }
  focus() {
    this.focused++
  }
  postMessage(message: HandshakeMessage, targetOrigin: string, [port]: MessagePort[]) {
    if (port) this.connected.resolve({ message, targetOrigin, port })
  }
}

type Answer = (request: ConnectRequest) => object | 'silence' | 'close'

/** A browser window connected to a wallet over a real MessageChannel. */
export class FakePage extends EventTarget {
  readonly location = { origin: pageOrigin }
  readonly localStorage: {
    getItem(key: string): string | null
    setItem(key: string, value: string): void
    removeItem(key: string): void
  }
  readonly popups: FakePopup[] = []
  readonly requests: ConnectRequest[] = []
  /** What the wallet answers. */
  answer: Answer = () => 'silence'
  blocksPopups = false
  /** False: the popup has no opener, as under `Cross-Origin-Opener-Policy: same-origin`. */
  isReachable = true

  constructor() {
    super()
    const stored = new Map<string, string>()
    this.localStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    }
    vi.stubGlobal('window', this)
  }

  open(url: string) {
    if (this.blocksPopups) return null
    const popup = new FakePopup(url)
    this.popups.push(popup)
    if (this.isReachable) void this.serve(popup)
    else popup.closed = true
    return popup
  }

  /** Posts a message to the page from a window of `origin`. */
  post(data: unknown, origin: string, source: unknown) {
    this.dispatchEvent(Object.assign(new Event('message'), { data, origin, source }))
  }

  private async serve(popup: FakePopup) {
    await Promise.resolve() // a window loads later
    this.post({ type: 'lanyard:ready', nonce: popup.invitation.nonce }, walletOrigin, popup)
    const { port } = await popup.connected.promise
    port.addEventListener('message', (event: unknown) => {
      const { data: request }: { data: ConnectRequest } = event as never // the page posts this type
      this.requests.push(request)
      const answer = this.answer(request)
      if (answer === 'close') popup.close()
      else if (answer !== 'silence') port.postMessage({ id: request.id, ...answer })
    })
    port.start()
  }
}
