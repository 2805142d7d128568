/** A REST client that knows the interface and nothing of this code. */
export function restClient(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
  const request = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(baseUrl + path, {
      method,
      // A kept connection may be closed by the server in the moment that a busy client uses it again.
      headers: {
        connection: 'close',
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: answers are examined by the tests, member by member
    return { status: response.status, body: (await response.json()) as any }
  }
  return {
    get: (path: string) => request('GET', path),
    post: (path: string, body: unknown) => request('POST', path, body),
  }
}

export type RestClient = ReturnType<typeof restClient>
