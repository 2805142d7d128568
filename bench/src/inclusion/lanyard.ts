import { hash } from '@lanyard/contracts'
import { startService } from '../programs/service.ts'
import { createOurs } from '../wallets/ours.ts'
import type { EnterArena } from './arena.ts'

/** Our service with its embedded bundler, on PGlite or PostgreSQL. Its answer comes after inclusion. */
export const lanyard =
  (databaseUrl?: string, profileTo?: string): EnterArena =>
  async ({ node, owners }) => {
    const service = await startService(node, databaseUrl, profileTo)
    const ours = createOurs(service.url)
    for (const owner of owners) await ours.create(owner)
    return {
      async prepare(owner) {
        const { messageToSign } = await ours.build(owner)
        const signature = await owner.sign({ hash: hash.parse(messageToSign) })
        return () => ours.submit(owner, signature)
      },
      [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    }
  }
