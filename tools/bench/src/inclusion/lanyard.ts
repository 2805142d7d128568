import { hash } from '@lanyard/contracts'
import type { Postgres } from '../programs/postgres.ts'
import { startService } from '../programs/service.ts'
import { createOurs } from '../wallets/ours.ts'
import type { EnterRace } from './race-fixture.ts'

/** Our service with its embedded bundler, on PGlite or this PostgreSQL. It responds after inclusion. */
export const lanyard =
  (postgres?: Postgres): EnterRace =>
  async ({ node, owners }) => {
    const service = await startService(node, await postgres?.fresh())
    const ours = createOurs(service.url)
    for (const owner of owners) await ours.create(owner)
    return {
      async prepare(owner) {
        const { messageToSign } = await ours.build(owner)
        const signature = await owner.sign({ hash: hash.parse(messageToSign) })
        return () => ours.submit(owner, signature)
      },
      processes: { service: service.pid, ...(postgres && { database: postgres.pid }) },
      [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    }
  }
