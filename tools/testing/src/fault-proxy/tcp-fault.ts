/** How a proxy treats connections: those that are open, and those that come. */
export type TcpFault =
  | { readonly kind: 'pass' }
  /** Every chunk, both ways, arrives so many milliseconds later. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** Reset (RST): now what is open, and what comes as soon as so many bytes of answers have passed. Default 0. */
  | { readonly kind: 'cut'; readonly bytes?: number }
  /** Answers of a connection end (FIN) after so many bytes, counted from now. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /**
   * Reset in place of the answer to what a client sent, where `to` says so of a chunk (latin1): the target has done what
   * it was asked for, and the client never hears it.
   */
  | { readonly kind: 'lose-answer'; readonly to: (sent: string) => boolean }
  /**
   * Connections are taken, and nothing passes until the fault is over: then what waited does, or, with `forever`, the
   * connections that it met stay silent and open, as where a firewall or a failed host has forgotten them.
   */
  | { readonly kind: 'black-hole'; readonly forever?: boolean }
  /** Nobody listens; what is open is reset. */
  | { readonly kind: 'refuse' }

export type TcpTarget = { readonly host: string; readonly port: number } | { readonly path: string }
