import { encodeAbiParameters, type Hash, keccak256, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { digest, domainSeparatorOfAll, hashText } from '../../test/eip712.ts'
import { getAttestationHash } from './get-attestation-hash.ts'

const smartBalance = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
const orderHash: Hash = `0x${'0d'.repeat(32)}`

test.each([
  ['claimed', 1],
  ['failed', 2],
] as const)('%s: is the same on every network', (outcome, value) => {
  const structHash = keccak256(
    encodeAbiParameters(parseAbiParameters('bytes32, bytes32, uint8'), [
      hashText('Attestation(bytes32 orderHash,uint8 outcome)'),
      orderHash,
      value,
    ]),
  )
  expect(getAttestationHash({ smartBalance, orderHash, outcome })).toBe(
    digest(domainSeparatorOfAll(smartBalance), structHash),
  )
})
