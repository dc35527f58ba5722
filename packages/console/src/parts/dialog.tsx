import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import css from './form.module.css';
import parts from './parts.module.css';

type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** A small box for a decision; otherwise a sheet at the side. */
  isBox?: boolean;
};

/** A dialog over the page. It keeps the focus and closes with Escape. */
export function Dialog({ title, isOpen, onClose, children, isBox = false }: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
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
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
