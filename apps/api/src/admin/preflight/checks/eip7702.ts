import {
  delegatedDeployment,
  encodeDesignator,
  getUserOperationHash,
  packUserOperation,
  type SignedUserOperation,
  toDelegatedAccount,
} from '@lanyard/accounts'
import { type Address, BaseError, pad, toFunctionSelector } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import { type Findings, finding } from '../finding.ts'
import { ifContractMatches } from '../not-that-contract.ts'
import type { Check, Subject } from '../subject.ts'
import { checkCode } from './code.ts'

/** Nobody has the key of this address. */
const noAccount: Address = '0x000000000000000000000000000000000000a11e'

/**
 * The network has what accounts of the kind `eip7702` depend on: EntryPoint v0.8, which hashes operations as the client
 * does, the delegate, and a node and a chain that run a delegate's code for a delegated EOA.
 *
 * The code of EntryPoint v0.8 contains the chain's id, so there is no hash to compare it with.
 */
export const checkEip7702: Check = async (subject) => {
  if (!subject.network.config.accountKinds.includes('eip7702')) return []
  const missing = await findMissing(subject)
  if (missing.length > 0) return missing
  const [ofEntryPoint, ofDelegation] = await Promise.all([
    checkEntryPoint(subject),
    subject.node.overrides ? checkDelegation(subject) : [],
  ])
  return [...ofEntryPoint, ...ofDelegation]
}

const fixOf = ({ network }: Subject) =>
  `Set "accountKinds": ["safe"] for network ${network.config.chainId} in NETWORKS_FILE. EOAs keep what they own.`

const unusable = (subject: Subject, found: { message: string; expected: string; seen: string }): Findings =>
  finding('EIP7702_UNUSABLE', { ...found, fix: fixOf(subject) })

async function findMissing(subject: Subject): Promise<Findings> {
  const { delegate, entryPoint } = delegatedDeployment
  const contracts = [
    { name: 'EntryPoint v0.8', address: entryPoint },
    { name: 'Simple7702Account', address: delegate },
  ]
  const found = contracts.map(({ name, address }) => {
    const message = `${name} is not on this network: no EOA could be an account here.`
    const missing = {
      code: 'EIP7702_UNUSABLE',
      message,
      expected: `code at ${address}`,
      fix: fixOf(subject),
    } as const
    return checkCode(subject, { name, address, missing })
  })
  return (await Promise.all(found)).flat()
}

async function checkEntryPoint(subject: Subject): Promise<Findings> {
  const { network } = subject
  const { entryPoint } = delegatedDeployment
  const account = toDelegatedAccount(noAccount)
  const operation: SignedUserOperation = {
    ...{
      sender: noAccount,
      nonce: 1n,
      initCode: '0x',
      callData: account.encodeCalls([]),
      paymasterAndData: '0x',
    },
    ...{ callGasLimit: 2n, verificationGasLimit: 3n, preVerificationGas: 4n },
    ...{ maxFeePerGas: 5n, maxPriorityFeePerGas: 6n, signature: '0x', entryPoint },
  }
  const expected = getUserOperationHash(operation, { chainId: network.chainId })
  const seen = await ifContractMatches(
    network.call((client) =>
      client.readContract({
        ...{ address: entryPoint, abi: entryPoint08Abi, functionName: 'getUserOpHash' },
        args: [packUserOperation(operation)],
      }),
    ),
  )
  if (seen === expected) return []
  const message = `The contract at ${entryPoint} hashes operations in another way than EntryPoint v0.8: no signature would be valid.`
  return unusable(subject, { message, expected, seen: seen ?? 'no answer to getUserOpHash' })
}

/** Calls an EOA that is delegated in the call's state only. */
async function checkDelegation(subject: Subject): Promise<Findings> {
  const { network } = subject
  const { delegate, entryPoint } = delegatedDeployment
  const seen = await network.call((client) =>
    client
      .call({
        to: noAccount,
        data: toFunctionSelector('entryPoint()'),
        stateOverride: [{ address: noAccount, code: encodeDesignator(delegate) }],
      })
      .then(
        ({ data = '0x' }) => data,
        (error: unknown) => {
          // Before Pectra, the first byte of such a code is an invalid opcode.
          if (error instanceof BaseError && /revert|opcode/i.test(error.message)) return 'a revert'
          throw error
        },
      ),
  )
  if (seen === pad(entryPoint).toLowerCase()) return []
  const message =
    'The node does not run the code of a delegated EOA (EIP-7702): the chain has no Pectra yet, or the node ignores this override.'
  const expected = `${delegate} to answer ${entryPoint} for an EOA that is delegated to it`
  return unusable(subject, { message, expected, seen })
}
