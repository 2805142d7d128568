/** The heap of a process that remains in use after a garbage collection. */
export interface Heap {
  /** MiB. */
  measure(): Promise<number>
}

interface Answer {
  readonly id: number
  readonly result: { readonly result?: { readonly value?: unknown } }
}

/** Connects to a process that was started with `--inspect`, through the inspector's protocol. */
export async function watchHeap(port: number): Promise<Heap> {
  const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  const [{ webSocketDebuggerUrl }] = targets as [{ webSocketDebuggerUrl: string }] // the inspector's format
  let count = 0
  async function ask(method: string, params = {}): Promise<Answer['result']> {
    using socket = Object.assign(new WebSocket(webSocketDebuggerUrl), {
      [Symbol.dispose]: () => socket.close(),
    })
    const { promise, resolve, reject } = Promise.withResolvers<Answer['result']>()
    const id = ++count
    socket.addEventListener('open', () => socket.send(JSON.stringify({ id, method, params })))
    socket.addEventListener('error', () => reject(new Error('The inspector does not answer')))
    socket.addEventListener('message', ({ data }) => {
      const answer: Answer = JSON.parse(String(data))
      if (answer.id === id) resolve(answer.result)
    })
    return await promise
  }
  return {
    async measure() {
      await ask('HeapProfiler.collectGarbage')
      const { result } = await ask('Runtime.evaluate', { expression: 'process.memoryUsage().heapUsed' })
      return Number(result?.value) / 2 ** 20
    },
  }
}
