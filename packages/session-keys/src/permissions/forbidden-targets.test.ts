import { defaultDeployment } from '@lanyard/accounts'
import { epochsAddress } from '@lanyard/onchain'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { forbiddenTargets } from './forbidden-targets.ts'

const address = (byte: string): Address => `0x${byte.repeat(20)}`
const own = { account: address('a1'), sessionKeys: address('a2'), smartBalance: address('a3') }

test('default: includes the account itself and the contracts that control it', () => {
  const { module, entryPoint, sharedSigner, multiSend, multiSendCallOnly } = defaultDeployment
  expect(forbiddenTargets(own)).toEqual([
    own.account,
    own.sessionKeys,
    own.smartBalance,
    epochsAddress,
    module,
    entryPoint,
    sharedSigner,
    multiSend,
    multiSendCallOnly,
  ])
})

test('args: deployment', () => {
  const deployment = {
    module: address('b1'),
    entryPoint: address('b2'),
    sharedSigner: address('b3'),
    multiSend: address('b4'),
    multiSendCallOnly: address('b5'),
  }
  expect(forbiddenTargets({ ...own, deployment })).toEqual([
    ...Object.values(own),
    epochsAddress,
    ...Object.values(deployment),
  ])
})
