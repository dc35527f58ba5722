import { createContext, useState, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import css from './form.module.css';
import parts from './parts.module.css';

/** Functions that return true if a form of the dialog has typed text. */
export const DialogForms = createContext<Set<() => boolean> | null>(null);

type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** A small box for a decision; otherwise a sheet at the side. */
  isBox?: boolean;
};

/**
 * Keeps the focus and closes with Escape or a click outside; with a form never by a click, and
 * with Escape only before something is typed.
 */
export function Dialog({ title, isOpen, onClose, children, isBox = false }: DialogProps) {
  const [forms] = useState(() => new Set<() => boolean>());
  const isTyped = () => [...forms].some((isFormTyped) => isFormTyped());
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && !isTyped() && onClose()}
      isDismissable
      shouldCloseOnInteractOutside={() => forms.size === 0}
      className={css['shade']!}
      {...(isBox ? { 'data-centered': true } : {})}
    >
      <Modal className={isBox ? css['box']! : css['sheet']!}>
        <AriaDialog className={css['dialog']!}>
          <div className={parts['blockHead']}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button look="quiet" small onPress={onClose} label={t('action.close')}>
              ✕
            </Button>
          </div>
          <DialogForms value={forms}>{children}</DialogForms>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
