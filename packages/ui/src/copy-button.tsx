import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { t } from './texts.ts'

/** Milliseconds for which "Copied" is shown. */
const confirmation = 2_000

/** Copies a text and confirms it, visibly and to screen readers. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), confirmation)
    return () => clearTimeout(timer)
  }, [state])

  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  const words = { idle: t('Copy'), copied: t('Copied'), refused: t('Select it by hand') }[state]
  return (
    <Button
      variant="secondary"
      size="small"
      aria-label={state === 'idle' ? label : words}
      onClick={() => void copy()}
    >
      {state === 'copied' ? (
        <Check className="size-4 text-accent" aria-hidden="true" />
      ) : (
        <Copy className="size-4" aria-hidden="true" />
      )}
      <span aria-live="polite">{words}</span>
    </Button>
  )
}
