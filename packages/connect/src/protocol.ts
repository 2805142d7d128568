/**
 * What a page and the wallet's popup say to each other.
 *
 * 1. The page opens `WALLET/connect#v=1&nonce=N&origin=O`.
 * 2. The wallet posts `{ type: 'lanyard:ready', nonce }` to its opener, for the origin O only.
 * 3. The page checks origin, source and nonce, and posts `{ type: 'lanyard:connect', nonce }` with a MessagePort, for the
 *    wallet's origin only.
 * 4. The wallet accepts once: from its opener, from O, with this nonce and one port.
 * 5. Over the port: `ConnectRequest` one way and `ConnectResponse` the other, one at a time.
 */
export const protocolVersion = '1'

/** Where the wallet serves the popup. */
export const connectPath = '/connect'

/** What the popup learns from its address. Nothing of it is trusted before the handshake. */
export interface Invitation {
  /** 32 hex digits, drawn by the page for this popup. */
  readonly nonce: string
  /** The origin of the page. */
  readonly origin: string
}

export interface HandshakeMessage {
  readonly type: 'lanyard:ready' | 'lanyard:connect'
  readonly nonce: string
}

export interface ConnectRequest {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
  /** The page's current network. */
  readonly chainId: number
}

export interface ConnectFailure {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export type ConnectResponse =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: ConnectFailure }

/** EIP-1193, EIP-1474, EIP-3326 and EIP-5792. */
export const errorCodes = {
  userRejected: 4001,
  unauthorized: 4100,
  unsupportedMethod: 4200,
  disconnected: 4900,
  unrecognizedChain: 4902,
  unsupportedCapability: 5700,
  unsupportedChain: 5710,
  duplicateId: 5720,
  unknownBundle: 5730,
  bundleTooLarge: 5740,
  requestPending: -32002,
  invalidParams: -32602,
  internalError: -32603,
} as const

/** The address of the popup. */
export const invitationUrl = (walletOrigin: string, { nonce, origin }: Invitation): string =>
  `${walletOrigin}${connectPath}#${new URLSearchParams({ v: protocolVersion, nonce, origin })}`

/** Reads the fragment of the popup's address; undefined where it is no invitation of this version. */
export function readInvitation(fragment: string): Invitation | undefined {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''))
  const nonce = parameters.get('nonce') ?? ''
  const origin = parameters.get('origin') ?? ''
  const isPage = /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin
  const isOurs = parameters.get('v') === protocolVersion && /^[0-9a-f]{32}$/.test(nonce)
  return isOurs && isPage ? { nonce, origin } : undefined
}

export const isHandshake = (data: unknown, type: HandshakeMessage['type'], nonce: string): boolean => {
  const message: Partial<HandshakeMessage> = Object(data)
  return message.type === type && message.nonce === nonce
}
