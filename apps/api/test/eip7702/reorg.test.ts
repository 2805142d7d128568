/** @module-tag all */

import { delegatedDeployment, encodeDesignator } from '@lanyard/accounts'
import { expect, test } from 'vitest'
import { reconcile } from '../../src/domain/operations/track/reconcile.ts'
import { startHttpService } from '../http-service.ts'
import { restClient } from '../rest.ts'
import { createDelegatedAccount, newKey } from './delegated-account.ts'

test('behavior: a reorg removes a delegation with its operation, and both are included again', async () => {
  await using started = await startHttpService({}, { accountKinds: ['safe', 'eip7702'] })
  const { service, node, url } = started
  const rest = restClient(url)
  const account = await createDelegatedAccount(rest, node.rpcUrl, newKey())
  const { chain, key } = account
  // Blocks come with transactions only, so the reorg removes exactly the operation's block.
  await chain.setIntervalMining({ interval: 0 })
  await chain.setAutomine(true)
  const { body } = await account.send()
  expect(body).toMatchObject({ success: true })
  await chain.request({ method: 'anvil_reorg', params: [1, []] } as never) // viem has no type for this method
  expect(await chain.getCode({ address: key.address })).toBeUndefined()

  await reconcile(service.services.operations, service.services.networks.get(node.chainId))
  await chain.setIntervalMining({ interval: 1 })
  await expect
    .poll(() => chain.getCode({ address: key.address }), { interval: 100 })
    .toBe(encodeDesignator(delegatedDeployment.delegate))
  const path = `/smart-account/transaction/status?userOpHash=${body.userOpHash}`
  await expect
    .poll(async () => (await rest.get(path)).body, { interval: 100 })
    .toMatchObject({ state: 'included', success: true })
})
