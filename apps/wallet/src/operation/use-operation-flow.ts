import { ceremonyBody } from '@lanyard/client'
import { useDebounced } from '@lanyard/ui'
import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { isUnreachable, readServiceError } from '../errors/service-error.ts'
import { allAnswers } from '../events/answers-of.ts'
import { useIsLive } from '../events/stream-health.ts'
import { requireConnection } from '../passkey/require-connection.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { rememberInclusion } from './inclusion-times.ts'
import { type OperationOutcome, outcomeOf } from './operation-outcome.ts'
import type { PreparedOperation } from './prepare-operation.ts'

/**
 * - `review`: nothing is signed; `error` says why the last attempt failed
 * - `signing`: the authenticator prompts the person
 * - `sending`: signed and submitted; the service waits for inclusion
 * - `following`: the service stopped waiting, or the connection broke; the operation may still be included
 * - `done`: the outcome is known
 */
export type OperationStep = 'review' | 'signing' | 'sending' | 'following' | 'done'

/** Milliseconds between polls of a pending operation. */
const pollInterval = 1_000

/**
 * Number of UNKNOWN_OPERATION answers before the wallet accepts that the service does not have the operation.
 */
const missingLimit = 3

/**
 * Signs a prepared operation, sends it, and tracks it until inclusion, through time-outs and lost
 * connections. Nothing is deferred: while offline, it fails before the passkey prompt opens. Leaving the
 * review closes the prompt. A signature is sent once.
 */
export function useOperationFlow({ network, requestOptions, verified }: PreparedOperation) {
  const { username, account } = useSession()
  const isLive = useIsLive()
  const queryClient = useQueryClient()
  const { userOpHash } = verified
  const [phase, setPhase] = useState<'review' | 'signing' | 'sending' | 'following'>('review')
  const [lost, setLost] = useState(false)
  const [signedAt, setSignedAt] = useState<number>()

  const ceremony = useRef<AbortController>(undefined)
  useEffect(
    () => () => {
      if (!ceremony.current) return
      ceremony.current.abort()
      ceremony.current = undefined
      WebAuthnAbortService.cancelCeremony()
    },
    [],
  )

  const submission = useMutation({
    mutationFn: async (left: AbortSignal): Promise<OperationOutcome | undefined> => {
      setPhase('signing')
      await requireConnection(left)
      const assertion = await startAuthentication({ optionsJSON: requestOptions })
      left.throwIfAborted()
      setPhase('sending')
      setSignedAt(Date.now())
      try {
        const { success, txnHash } = await trpc.webauthn.transactionVerify.mutate({
          ...ceremonyBody(assertion),
          username,
        })
        return { kind: success ? 'included' : 'reverted', txnHash }
      } catch (error) {
        const onItsWay = readServiceError(error)?.code === 'INCLUSION_TIMEOUT' || isUnreachable(error)
        if (!onItsWay) throw error
        setLost(isUnreachable(error))
        setPhase('following')
        return undefined
      }
    },
    onError: () => setPhase('review'),
    onSettled: () => {
      ceremony.current = undefined
    },
  })

  const onItsWay = phase === 'sending' || phase === 'following'
  const status = useQuery({
    queryKey: ['operation', userOpHash],
    queryFn: ({ signal }) => trpc.smartAccount.status.query({ userOpHash }, { signal }),
    // Delayed, because the service has to receive the signature first.
    enabled: useDebounced(onItsWay, pollInterval) && onItsWay,
    retry: false,
    refetchInterval: ({ state: { data } }) => {
      if (data && outcomeOf(data)) return false
      // Once submitted, the event stream reports changes. No event reports that the bundler has the
      // operation.
      return isLive && data?.state === 'submitted' ? false : pollInterval
    },
    staleTime: 0,
  })

  // The submission already reports success. Only the status says why an operation reverted.
  const outcome = (status.data && outcomeOf(status.data)) ?? submission.data
  const step: OperationStep = outcome ? 'done' : phase

  const { chainId } = network
  const isIncluded = outcome !== undefined && outcome.kind !== 'dropped'
  useEffect(() => {
    if (isIncluded && signedAt !== undefined) rememberInclusion(chainId, Date.now() - signedAt)
  }, [isIncluded, signedAt, chainId])

  useEffect(() => {
    if (step !== 'done') return
    for (const key of allAnswers) void queryClient.invalidateQueries({ queryKey: [key, account] })
  }, [step, queryClient, account])

  return {
    step,
    outcome,
    /** Milliseconds since 1970. Undefined until it is signed. */
    signedAt,
    /** True once the service reports that the operation was sent to the chain. */
    sent: status.data?.state === 'submitted',
    /** True if the service has not answered since the signature was sent. */
    unconfirmed: step === 'following' && lost && status.data === undefined,
    /** True if the connection broke before the service had the signature. Nothing was sent. */
    neverArrived:
      step === 'following' &&
      status.errorUpdateCount >= missingLimit &&
      readServiceError(status.error)?.code === 'UNKNOWN_OPERATION',
    error: submission.error,
    sign: () => {
      if (ceremony.current) return // ignores a second press before the first one renders
      ceremony.current = new AbortController()
      submission.mutate(ceremony.current.signal)
    },
    startOver: () => {
      submission.reset()
      setSignedAt(undefined)
      setPhase('review')
    },
  }
}
