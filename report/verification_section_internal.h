// report/verification_section_internal.h - one section of a page about verification.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/verification_page.h"

// All of it, under a heading of this level, with at most so many pictures.
void som_verification_section_print(const SomVerificationSection *section, int number, int level,
                                    SomDiagnostics *diags, SomArtist *artist, int pictures,
                                    SomText *out);

// "Walkbot: walk", as markup.
void som_verification_print_name(const SomVerificationSection *section, SomText *out);
// "safe", "unsafe" in their colours.
void som_verification_print_verdict(SomVerdict verdict, SomText *out);
int som_verification_count(const SomVerification *found, SomSeverity severity);
