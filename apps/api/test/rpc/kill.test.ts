/** @module-tag all */
/** @module-tag longer */
// @promise 1

import { getUserOperationHash } from '@lanyard/accounts'
import { checkpoints as bundlerCheckpoints } from '@lanyard/bundler'
import { altoProgram, startAlto } from '@lanyard/bundler/testing'
import { usualEngine } from '@lanyard/database/testing'
import type { RunningNetwork } from '@lanyard/devnet'
import { isLong } from '@lanyard/testing'
import { entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkpoints } from '../../src/domain/operations/dependencies.ts'
import { parseOperation, toSigned } from '../../src/transport/rpc/user-operation.ts'
import { ask } from '../http-service.ts'
import { type KillFixture, startKillFixture } from '../kill/kill-fixture.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'
import { newRpcAccount, prepare, publicClientOf, sendAccepted, sendRpc } from './rpc-client.ts'

/*
 * SIGKILL ends the process at each step of an operation that arrived over JSON-RPC, and a new process starts on the
 * same database. The operation is included once without another request, and repeating the send returns the same
 * hash.
 */

const isAfterSignature = (name: string) => !name.startsWith('build:') && name !== 'sign:checked'
const steps = [
  ...checkpoints.filter(isAfterSignature),
  // The reconcile suite covers this step: it needs a transaction that a node forgot.
  ...bundlerCheckpoints.filter((name) => name !== 'relayer:resent'),
]
function killsAt(kills: readonly string[], startBundler?: Parameters<typeof startKillFixture>[0]) {
  let fixture: KillFixture
  beforeAll(async () => {
    fixture = await startKillFixture(startBundler)
  })
  afterAll(() => fixture?.[Symbol.asyncDispose]())

  test.each(kills)('behavior: an operation survives a kill at %s', async (step) => {
    await using storage = await fixture.environment(usualEngine())
    const client = publicClientOf(fixture.network.rpcUrl)
    const { account } = await newRpcAccount(client)
    await fixture.fund(account.address)
    const operation = await prepare(account)
    const hash = getUserOperationHash(toSigned(parseOperation(operation), entryPoint07Address), {
      chainId: fixture.network.chainId,
    })
    const path = `/rpc/${fixture.network.chainId}`

    await using dying = await startServiceProcess({ ...storage.env, CRASH_AT: step })
    await sendRpc(`${dying.url}${path}`, operation).catch(() => 'no answer')
    expect(await dying.ended).toBe('SIGKILL')

    await using service = await startConfigured(storage.env)
    const readState = async () =>
      (await ask(`${service.url}/smart-account/transaction/status?userOpHash=${hash}`)).body.state
    await expect.poll(readState, { interval: 100 }).toBe('included')
    expect(await sendAccepted(`${service.url}${path}`, operation)).toBe(hash)
    expect(await fixture.includedHashesOf(account.address)).toEqual([hash])
  })
}

// `test:all` leaves these to the suite of the REST path, which is the same from the signature on.
if (isLong) describe('the embedded bundler', () => killsAt(steps))
describe.skipIf(altoProgram === undefined)('a remote bundler', () =>
  killsAt(isLong ? ['submit:signed', 'submit:delivered'] : ['submit:delivered'], (network: RunningNetwork) =>
    startAlto(network, entryPoint07Address),
  ),
)
