import { generateKeyPairSync } from 'node:crypto'
import { computeAccountAddress, defaultDeployment } from '@lanyard/accounts'
import { knownModule } from '@lanyard/calls'
import { passkeyOwner } from '@lanyard/client'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { requireOwnAddress } from './require-own-address.ts'

const thirdParty = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const deploymentContext = {
  sessionKeys: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  smartBalance: undefined,
} as const
const networks = async () => [{ sessionKeys: undefined, smartBalance: undefined }, deploymentContext]
const notRequested = async () => {
  throw new Error('Nobody has to ask for the networks')
}

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64url')
const created = { response: { publicKey: spki } }
const owner = passkeyOwner(created)
const addressWith = (ownership?: Address) => {
  if (!owner) throw new TypeError('The key is on P-256')
  return computeAccountAddress(owner, { ...defaultDeployment, ownership })
}
const external = expect.objectContaining({ code: 'FOREIGN_ADDRESS' })

test('default: an account without modules', async () => {
  await requireOwnAddress(created, addressWith(), notRequested)
})

test('behavior: an account with Ownership, beside the contracts of any network', async () => {
  await requireOwnAddress(created, addressWith(knownModule(deploymentContext)), networks)
})

test('error: FOREIGN_ADDRESS for a module that the service only names', async () => {
  await expect(requireOwnAddress(created, addressWith(thirdParty), networks)).rejects.toThrow(external)
})

test('error: FOREIGN_ADDRESS for the module if the service hides its networks', async () => {
  const account = addressWith(knownModule(deploymentContext))
  await expect(requireOwnAddress(created, account, async () => [])).rejects.toThrow(external)
})

test("error: FOREIGN_ADDRESS for somebody else's account", async () => {
  await expect(requireOwnAddress(created, thirdParty, networks)).rejects.toThrow(external)
})
