/** Bytes of one answer. The largest is the list of keys of an identity provider. */
const maxBytes = 512 * 1024

/**
 * Asks a service of others. A redirect is not followed, and an answer that is too long is not read to its end.
 *
 * @throws TypeError for an answer that is too long; errors of fetch
 */
export async function boundedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new TypeError('the answer is too long')
    chunks.push(chunk)
  }
  const isEmpty = [204, 205, 304].includes(response.status)
  return new Response(isEmpty ? null : Buffer.concat(chunks), response)
}
