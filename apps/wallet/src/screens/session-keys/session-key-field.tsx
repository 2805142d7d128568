import { Button, Field, Textarea } from '@lanyard/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { t } from '../../i18n/t.ts'
import { createBrowserKey } from '../../session-keys/browser-key.ts'

interface SessionKeyFieldProps {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (key: string) => void
}

/** The key of the app, or a key created here for trying it out. */
export function SessionKeyField({ value, error, onChange }: SessionKeyFieldProps) {
  const queryClient = useQueryClient()
  const creation = useMutation({
    mutationFn: createBrowserKey,
    onSuccess: (key) => {
      onChange(key)
      void queryClient.invalidateQueries({ queryKey: ['browser-keys'] })
    },
  })
  const hint = creation.error
    ? t('This browser cannot keep keys because its storage is blocked.')
    : creation.isSuccess && value === creation.data
      ? t('Created in this browser. It cannot leave it.')
      : t('An address, or a public key that begins with 0x04. Apps send a link instead.')
  return (
    <div className="grid gap-2">
      <Field label={t('Session key')} error={error} hint={hint}>
        {(control) => (
          <Textarea
            {...control}
            className="font-mono text-sm"
            value={value}
            placeholder="0x…"
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <Button
        variant="secondary"
        size="small"
        className="justify-self-start"
        busy={creation.isPending}
        onClick={() => creation.mutate()}
      >
        {t('Create one here to try it')}
      </Button>
    </div>
  )
}
