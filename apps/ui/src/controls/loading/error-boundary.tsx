import { Component, type ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';
import { EmptyState } from '../marks/empty-state.tsx';
import { loadFailedPartsAgain } from './load-part.ts';

/** Keeps an error in one part of the window from breaking the rest. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  showAgain = () => {
    loadFailedPartsAgain();
    this.setState({ error: null });
  };

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <EmptyState
        title="This part of the window failed"
        action={<Button onClick={this.showAgain}>Show it again</Button>}
      >
        {error.message}
      </EmptyState>
    );
  }
}
