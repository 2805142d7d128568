interface AvatarProps {
  readonly name: string
  readonly className?: string
}

/** A person by the first letter of their name. The name itself stands beside it. */
export function Avatar({ name, className = 'size-9 bg-sunken text-ink' }: AvatarProps) {
  const [letter = ''] = name
  return (
    <span
      className={`grid shrink-0 place-items-center rounded-full font-semibold ${className}`}
      aria-hidden="true"
    >
      {letter.toLocaleLowerCase()}
    </span>
  )
}
