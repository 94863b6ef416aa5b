/** The product's mark: a board on slanted legs, which looks like a table and like a bridge. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M2.6 5.2h18.8" strokeWidth="3.2" />
      <path d="M7.4 6 3.8 20.4M16.6 6l3.6 14.4M5.8 13.8h12.4M12 6v7.8" strokeWidth="2.1" />
    </svg>
  );
}
