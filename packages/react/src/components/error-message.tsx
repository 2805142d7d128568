import { errorText } from '../error-text.ts'
import type { LanyardReactError } from '../react-error.ts'
import { styles } from './styles.ts'

/** Says an error to the person. Always in the page, so that screen readers announce the change. */
export function ErrorMessage({ error }: { readonly error: LanyardReactError | undefined }) {
  const text = error && errorText(error)
  return (
    <p role="alert" hidden={!text} style={styles.error}>
      {text && (
        <>
          <strong>{text.title}</strong> {text.advice}
        </>
      )}
    </p>
  )
}
