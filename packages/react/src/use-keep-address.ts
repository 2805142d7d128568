import { useMemo, useState } from 'react'
import type { SentCalls } from './actions/deliver.ts'
import { type KeepAddressRequest, keepAddress } from './actions/keep-address.ts'
import { useLanyardContext } from './lanyard-context.ts'
import type { LanyardReactError } from './react-error.ts'
import { useAction } from './use-action.ts'

export interface KeepAddress {
  readonly busy: boolean
  readonly error: LanyardReactError | undefined
  /** The last operation that succeeded. */
  readonly result: SentCalls | undefined
  /** Has the EOA run the account's contract, and sends its calls. Undefined if the person declined. */
  readonly keepAddress: (request: KeepAddressRequest) => Promise<SentCalls | undefined>
}

/** Accounts of EOAs whose key is in a wallet of the app: they keep their address (EIP-7702). */
export function useKeepAddress(): KeepAddress {
  const context = useLanyardContext()
  const { busy, error, run } = useAction<'keep'>(context.service)
  const [result, setResult] = useState<SentCalls>()
  const keep = useMemo(
    () => (request: KeepAddressRequest) =>
      run('keep', async (signal) => {
        setResult(undefined)
        const sent = await keepAddress(context, request, signal)
        setResult(sent)
        return sent
      }),
    [context, run],
  )
  return { busy: busy !== undefined, error, result, keepAddress: keep }
}
