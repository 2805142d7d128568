import { Button, Notice } from '@lanyard/ui'
import { addPasskey } from '../api/add-passkey.ts'
import type { Outputs } from '../api/outputs.ts'
import { useAct } from '../api/use-act.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'

type Session = NonNullable<Outputs['session']['current']>

/** What an operator without a passkey does before they can change anything. */
export function PasskeyNotice({ hasPasskey, waitingPasskey, role }: Session) {
  const act = useAct(addPasskey)
  if (hasPasskey || role === 'viewer') return null
  return (
    <div className="mb-6 grid gap-3">
      {act.error && <ErrorNotice error={act.error} />}
      {waitingPasskey === null ? (
        <Notice
          tone="info"
          title="Add a passkey to change anything"
          action={
            <Button size="small" busy={act.isPending} onClick={() => act.mutate(undefined)}>
              Add a passkey
            </Button>
          }
        >
          <p>Each act is confirmed with it. You can read everything that your role shows without one.</p>
        </Notice>
      ) : (
        <Notice tone="info" title="Your passkey waits for an administrator">
          <p>
            Tell one of them that it is <code className="font-mono">{waitingPasskey}</code>. They confirm it
            under Operators, or with <code>lanyard operators confirm</code>. It waits for a day.
          </p>
        </Notice>
      )}
    </div>
  )
}
