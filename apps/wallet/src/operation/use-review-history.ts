import { useEffect, useId, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'

/**
 * Adds the review to the browser's history, so that Back closes it and shows the form again.
 *
 * @param onBack - closes the review
 * @returns a function that goes back like the browser's own button
 */
export function useReviewHistory(onBack: () => void): () => void {
  const review = useId()
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation()
  const navigation = useNavigationType()
  const entered = useRef(false)
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  })
  const here: unknown = state?.review
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, where the review opens
  useEffect(() => {
    if (!entered.current) void navigate(`${pathname}${search}${hash}`, { state: { review } })
  }, [])
  useEffect(() => {
    if (here === review) entered.current = true
    else if (entered.current && navigation === 'POP') latest.current()
  }, [here, review, navigation])
  return () => void navigate(-1)
}
