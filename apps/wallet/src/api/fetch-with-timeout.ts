/** As the tRPC client passes it. */
type FetchInit = Omit<RequestInit, 'signal'> & { readonly signal?: AbortSignal | null | undefined }

/**
 * `fetch` with a bound on the whole exchange, the body included. A caller's own signal still cancels.
 *
 * @param milliseconds after which it rejects with a `TimeoutError`.
 */
export const fetchWithTimeout =
  (milliseconds: number) =>
  (input: RequestInfo | URL, { signal, ...init }: FetchInit = {}): Promise<Response> => {
    const timeout = AbortSignal.timeout(milliseconds)
    return fetch(input, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  }
