/** @module-tag all */
import { usualEngine } from '@lanyard/database/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startOperations } from '../../../../test/operation-fixture.ts'

test('behavior: a look that outlives its last waiter reads nothing, and fails at nothing', async () => {
  await using at = await startOperations(usualEngine())
  const picked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const lines: string[] = []
  const operations = at.connect(
    async (step) => {
      if (step !== 'relayer:batch-picked') return
      picked.resolve()
      await held.promise
    },
    pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  )
  const { wallet, owner } = await at.createWallet()
  const built = await at.build(wallet)
  const signature = await at.sign(owner, built.operationHash)
  const answer = at.submit(wallet, owner, signature, { ...operations, inclusionTimeout: 1 })
  await expect(answer).rejects.toMatchObject({ code: 'INCLUSION_TIMEOUT' })
  await picked.promise
  held.resolve()
  await operations.watcher.close()
  expect(lines).toEqual([])
})
