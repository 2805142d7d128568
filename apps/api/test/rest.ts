/** A REST client that depends on the interface and not on this code. */
export function restClient(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
  const request = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(baseUrl + path, {
      method,
      // The server may close a kept-alive connection just as a busy client reuses it.
      headers: {
        connection: 'close',
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answer
    return { status: response.status, body: (await response.json()) as any }
  }
  return {
    get: (path: string) => request('GET', path),
    post: (path: string, body: unknown) => request('POST', path, body),
  }
}

export type RestClient = ReturnType<typeof restClient>
