// @vitest-environment happy-dom
import { stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { ServiceFailure } from '../../test/fake-service.ts'
import { withFakeService } from '../../test/render-wallet.tsx'
import { trpc } from '../api/trpc.ts'
import { submitAndFollow } from './submit-and-follow.ts'

const { service } = withFakeService()

const userOpHash = stringToHex('operation', { size: 32 })
const txnHash = stringToHex('transaction', { size: 32 })
const submit = () =>
  trpc.smartAccount.submit.mutate({ walletAddress: `0x${'11'.repeat(20)}`, signature: '0x' })

test('default: the answer of the submission is the outcome', async () => {
  service().answers['smartAccount.submit'] = () => ({ success: true, txnHash, userOpHash })
  expect(await submitAndFollow(userOpHash, submit)).toEqual({ kind: 'included', txnHash })
})

test.each(['INTERNAL', 'INCLUSION_TIMEOUT'])(
  'behavior: after %s the operation is followed, and sent once',
  async (code) => {
    const states = [
      { state: 'submitting' },
      { state: 'submitted' },
      { state: 'included', success: true, txnHash },
    ]
    let sent = 0
    service().answers['smartAccount.submit'] = () => {
      sent++
      throw new ServiceFailure(code)
    }
    service().answers['smartAccount.status'] = () => ({ final: false, ...states.shift() })
    expect(await submitAndFollow(userOpHash, submit)).toMatchObject({ kind: 'included', txnHash })
    expect(sent).toBe(1)
  },
)

test('error: what the service did not take may be signed again', async () => {
  service().answers['smartAccount.submit'] = () => {
    throw new ServiceFailure('REBUILD')
  }
  await expect(submitAndFollow(userOpHash, submit)).rejects.toThrow('REBUILD')
  service().answers['smartAccount.submit'] = () => {
    throw new ServiceFailure('INTERNAL')
  }
  service().answers['smartAccount.status'] = () => ({ state: 'built', final: false })
  await expect(submitAndFollow(userOpHash, submit)).rejects.toThrow('INTERNAL')
})
