/** The type that the tRPC client passes. */
type FetchInit = Omit<RequestInit, 'signal'> & { readonly signal?: AbortSignal | null | undefined }

/**
 * `fetch` with a time-out for the whole exchange, including the body. A caller's own signal still cancels.
 *
 * @param milliseconds - time until it rejects with a `TimeoutError`
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
