/** As viem's own bound, which it cannot keep where the body is read here. */
const mostBytes = 10_485_760

/**
 * fetch that has read the whole body when it resolves. viem's http transport bounds only the time until the headers
 * arrive: a body that never ends would hang.
 */
export const fetchWhole: typeof fetch = async (input, init) => {
  const { text, status, headers } = await readWhole(input, init)
  return new Response(text, { status, headers })
}

/**
 * The same for batches of JSON-RPC, whose answers viem matches by their order: one that is missing would give every
 * later request the answer of its neighbour. A batch whose answers are not those to its requests is an error.
 */
export const fetchBatch: typeof fetch = async (input, init) => {
  const { text, ok, status, headers } = await readWhole(input, init)
  if (ok) assertAnswers(init?.body, text)
  return new Response(text, { status, headers })
}

async function readWhole(...request: Parameters<typeof fetch>) {
  const response = await fetch(...request)
  const { ok, status, headers } = response
  return { text: await readText(response), ok, status, headers }
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new TypeError('The answer is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function assertAnswers(asked: unknown, text: string): void {
  const requested = idsOf(String(asked))
  const answered = idsOf(text)
  const ids = new Set(answered)
  const fits = requested.length === answered.length && requested.every((id) => ids.has(id))
  if (!fits) throw new TypeError('The answers are not those to the requests')
}

/** Of a batch; viem's http transport sends nothing else when it batches. */
function idsOf(text: string): readonly unknown[] {
  const batch: unknown = JSON.parse(text)
  if (!Array.isArray(batch)) throw new TypeError('A batch is not answered by a batch')
  return batch.map((one: unknown) =>
    typeof one === 'object' && one !== null && 'id' in one ? one.id : undefined,
  )
}
