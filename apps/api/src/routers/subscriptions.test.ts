import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readAhead } from './subscriptions.ts'

// biome-ignore lint/correctness/useYield: it fails before the first event
async function* failing(): AsyncGenerator<number> {
  throw new Error('the allowance is used up')
}

test('behavior: a stream that fails while its reader takes nothing does not end the process', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    const ahead = readAhead(failing())[Symbol.asyncIterator]().next()
    await turn()
    await turn()
    expect(unhandled).toEqual([])
    await expect(ahead).rejects.toThrow('the allowance is used up')
  } finally {
    process.off('unhandledRejection', note)
  }
})
