import { defaultDeployment } from '@lanyard/accounts'
import { callContext, describeCall, knownModule } from '@lanyard/calls'
import { type Address, getAddress } from 'viem'
import { expect, test } from 'vitest'
import type { Network } from '../networks/use-networks.ts'
import { leftoversOf } from './leftovers.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const thief: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const network: Network = {
  chainId: 1,
  name: 'One',
  explorerUrl: undefined,
  local: true,
  currencies: [{ symbol: 'ETH', decimals: 18 }],
  smartBalance: undefined,
  sessionKeys: undefined,
}
const usual = {
  modules: [knownModule(network), defaultDeployment.module],
  fallbackHandler: defaultDeployment.module,
}

test('default: an account with the contracts that this wallet knows has nothing left', () => {
  expect(leftoversOf(account, network, usual)).toEqual([])
})

test('behavior: each foreign contract has the call that removes it, which the review describes', () => {
  const parts = { modules: [thief, ...usual.modules], guard: thief, fallbackHandler: thief }
  const found = leftoversOf(account, network, parts)
  expect(found.map(({ kind, address }) => [kind, address])).toEqual([
    ['module', thief],
    ['guard', thief],
    ['handler', thief],
  ])
  expect(found.map(({ call }) => describeCall(call, callContext(account, network)))).toEqual([
    { kind: 'remove-module', module: getAddress(thief) },
    { kind: 'remove-guard' },
    { kind: 'reset-handler' },
  ])
})
