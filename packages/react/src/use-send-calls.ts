import { useCallback, useRef, useState } from 'react'
import type { Hash } from 'viem'
import type { SentCalls } from './actions/deliver.ts'
import type { Call, SendOptions, SendStep } from './actions/send-calls.ts'
import { useLanyardContext } from './lanyard-context.ts'
import { loadActions } from './load-actions.ts'
import type { LanyardReactError } from './react-error.ts'
import { useAction } from './use-action.ts'

export interface SendCalls {
  /**
   * `idle` → `preparing` → `signing` → `sending` → `included`. Ends at `cancelled` if the person closes the
   * prompt, and at `failed` with an `error`.
   */
  readonly status: 'idle' | SendStep | 'included' | 'cancelled' | 'failed'
  /** True while a send is in progress. Calling `send` again then returns the same promise. */
  readonly isBusy: boolean
  /** The hash for `useOperation`, known once the operation is signed. */
  readonly userOpHash: Hash | undefined
  /** Present once included. */
  readonly transactionHash: Hash | undefined
  readonly error: LanyardReactError | undefined
  /** Sends calls as one operation and waits for inclusion. */
  readonly send: (calls: readonly Call[], options?: SendOptions) => Promise<SentCalls | undefined>
  /** Returns to `idle`. A signed operation continues. */
  readonly reset: () => void
}

interface State {
  readonly status: SendCalls['status']
  readonly userOpHash?: Hash | undefined
  readonly transactionHash?: Hash
}

/** Sends calls, and holds the state that a form shows. */
export function useSendCalls(): SendCalls {
  const context = useLanyardContext()
  const { busy, error, run, reset: resetAction } = useAction<'send'>(context.service)
  const [state, setState] = useState<State>({ status: 'idle' })

  const running = useRef<Promise<SentCalls | undefined>>(undefined)
  const send = useCallback(
    (calls: readonly Call[], options: SendOptions = {}) => {
      // Handles a second press before the first one renders.
      if (running.current) return running.current
      const result = run('send', async (signal) => {
        const onStep = (status: SendStep, userOpHash?: Hash) => {
          setState({ status, userOpHash })
          options.onStep?.(status, userOpHash)
        }
        const { sendCalls } = await loadActions()
        const sent = await sendCalls(context, calls, { ...options, onStep }, signal)
        setState({ status: 'included', ...sent })
        return sent
      })
      running.current = result
      const free = () => {
        if (running.current === result) running.current = undefined
      }
      result.then(free, free)
      return result
    },
    [context, run],
  )
  const reset = useCallback(() => {
    running.current = undefined
    resetAction()
    setState({ status: 'idle' })
  }, [resetAction])

  const isBusy = busy !== undefined
  const isOver = !isBusy && state.status !== 'idle' && state.status !== 'included'
  return {
    status: isOver ? (error ? 'failed' : 'cancelled') : state.status,
    isBusy,
    userOpHash: state.userOpHash ?? error?.userOpHash,
    transactionHash: state.transactionHash,
    error,
    send,
    reset,
  }
}
