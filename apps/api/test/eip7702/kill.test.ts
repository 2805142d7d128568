/** @module-tag all */

import { delegatedDeployment, encodeDesignator } from '@lanyard/accounts'
import { usualEngine } from '@lanyard/database/testing'
import { entryPoint08Abi, entryPoint08Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KillFixture, startKillFixture } from '../kill/kill-fixture.ts'
import { restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'
import { createDelegatedAccount, newKey } from './delegated-account.ts'

let fixture: KillFixture
beforeAll(async () => {
  fixture = await startKillFixture()
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

// The authorisation is written with the signature, so the next process sends both.
test.each(['submit:signed'])(
  'behavior: a first operation, which delegates, survives a kill at %s',
  async (step) => {
    await using storage = await fixture.environment(usualEngine())
    const key = newKey()
    let hash = ''
    {
      await using dying = await startServiceProcess({ ...storage.env, CRASH_AT: step })
      const account = await createDelegatedAccount(restClient(dying.url), fixture.network.rpcUrl, key)
      const { body } = await account.build()
      hash = body.messageToSign
      await account.submit(await account.sign(body)).catch(() => 'no answer')
      expect(await dying.ended).toBe('SIGKILL')
    }
    expect(await fixture.chain.getCode({ address: key.address })).toBeUndefined()

    await using service = await startConfigured(storage.env)
    const { get } = restClient(service.url)
    const readStatus = async () => (await get(`/smart-account/transaction/status?userOpHash=${hash}`)).body
    await expect.poll(readStatus, { interval: 100 }).toMatchObject({ state: 'included', success: true })
    expect(await fixture.chain.getCode({ address: key.address })).toBe(
      encodeDesignator(delegatedDeployment.delegate),
    )
    const events = await fixture.chain.getContractEvents({
      ...{ address: entryPoint08Address, abi: entryPoint08Abi, eventName: 'UserOperationEvent' },
      ...{ args: { sender: key.address }, fromBlock: 0n },
    })
    expect(events.map(({ args }) => args.userOpHash)).toEqual([hash])
  },
)
