import { createLanyardClient } from '@lanyard/client'
import { expect, test } from 'vitest'
import { deliver } from '../src/actions/deliver.ts'
import type { LanyardContextValue } from '../src/lanyard-context.ts'
import { createOperationStore } from '../src/operation-store.ts'

const userOpHash = `0x${'ab'.repeat(32)}` as const
const where = { account: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', network: 1, key: 'invoice-1' } as const

// What platforms and their polyfills throw when the connection breaks after the request was sent.
test.each(['Error', 'AbortError', 'FetchError', 'NetworkError', 'TypeError'])(
  'behavior: a payment whose answer is lost as %s is followed and stays remembered',
  async (name) => {
    const values = new Map<string, string>()
    const storage = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, text: string) => void values.set(key, text),
    }
    let received = 0
    const followed = Promise.withResolvers<void>()
    const client = createLanyardClient({
      baseUrl: 'https://wallet.example',
      fetch: async (input) => {
        const { url } = input as Request // the client sends requests
        if (!url.includes('/webauthn/transaction/verify')) {
          followed.resolve()
          return Response.json({
            ...{ network: '1', state: 'included', final: true, success: true },
            txnHash: `0x${'cd'.repeat(32)}`,
          })
        }
        received++
        throw Object.assign(new Error('The network connection was lost'), { name })
      },
    })
    const operations = createOperationStore('service', storage)
    operations.add({ ...where, userOpHash, signedAt: 1 })
    const context = { client, operations } as unknown as LanyardContextValue // what deliver reads of it
    const sent = deliver(context, userOpHash, { username: 'ken', id: '', rawId: '', response: {} } as never)
    await followed.promise
    expect(operations.find(where)).toHaveLength(1)
    expect(await sent).toMatchObject({ userOpHash })
    expect(received).toBe(1)
  },
)
