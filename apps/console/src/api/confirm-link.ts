import type { ConsoleRouter } from '@lanyard/api/console-router'
import { createTRPCClient, httpLink, type Operation, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { Outputs } from './outputs.ts'
import { askPasskey } from './passkey-prompt.ts'
import { queryClient, sessionKey } from './query-client.ts'
import { RequestedApproval } from './requested-approval.ts'

/** Where the header of a confirmation is, in the context of an operation. */
const confirmation = 'confirmation'

/** The headers of an operation: those of its confirmation. */
export const headersOf = ({ op }: { readonly op: Operation }) =>
  (op.context[confirmation] ?? {}) as Record<string, string> // as written below

const plain = createTRPCClient<ConsoleRouter>({
  links: [httpLink({ url: '/trpc', headers: headersOf })],
})

const needsConfirmation = (path: string): boolean => {
  const session = queryClient.getQueryData<Outputs['session']['current']>(sessionKey)
  return session?.confirmedActs.some((act) => act === path) ?? false
}

/**
 * Lets the passkey confirm the acts that the service names, whichever screen starts them. One that waits for a second person is
 * requested, and ends as a {@link RequestedApproval}.
 */
export const confirmLink: TRPCLink<ConsoleRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      if (op.type !== 'mutation' || !needsConfirmation(op.path)) return next(op).subscribe(observer)
      let act: { unsubscribe(): void } | undefined
      const input = (op.input ?? {}) as Parameters<typeof plain.approvals.confirmation.mutate>[0]['input']
      const start = async () => {
        const guarded = { act: op.path, input }
        const { options, needsSecond } = await plain.approvals.confirmation.mutate(guarded)
        const headers = await askPasskey(options)
        if (needsSecond) {
          const requested = await plain.approvals.request.mutate(guarded, {
            context: { [confirmation]: headers },
          })
          void queryClient.invalidateQueries({ queryKey: ['approvals'] })
          throw new RequestedApproval(requested)
        }
        act = next({ ...op, context: { ...op.context, [confirmation]: headers } }).subscribe(observer)
      }
      start().catch((error: Error) => observer.error(TRPCClientError.from(error)))
      return () => act?.unsubscribe()
    })
