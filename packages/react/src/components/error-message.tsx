import { useEffect } from 'react'
import { errorText } from '../error-text.ts'
import type { LanyardReactError, ReactErrorCode } from '../react-error.ts'
import type { Texts } from '../texts.ts'
import { useTexts } from '../use-texts.ts'

/** Mistakes of the app's developer. Its texts for people name no cause that they cannot repair. */
const mistakes: ReadonlySet<ReactErrorCode> = new Set([
  'NOT_SET_UP',
  'FORBIDDEN',
  'WRONG_ORIGIN',
  'INVALID_REQUEST',
])

interface ErrorMessageProps {
  readonly error: LanyardReactError | null | undefined
  readonly texts?: Texts | undefined
}

/** Says an error to the person, and a mistake of the developer to the console. Always in the page, so that screen readers announce the change. */
export function ErrorMessage({ error, texts }: ErrorMessageProps) {
  const { errors } = useTexts(texts)
  useEffect(() => {
    if (error && mistakes.has(error.code)) console.error(`@lanyard/react: ${error.message}`)
  }, [error])
  const text = error && errorText(error, errors)
  return (
    <p role="alert" hidden={!text} className="lanyard-error">
      {text && (
        <>
          <strong>{text.title}</strong> {text.advice}
        </>
      )}
    </p>
  )
}
