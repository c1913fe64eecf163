#!/usr/bin/env bash
# Eigen 3.4.0: a NaN in a matrix is a success to most decompositions. LLT::info() documents NumericalIssue for "the matrix
# appears not to be positive", yet says Success; QR by columns counts the NaN's column as redundant and reports a rank one
# less; maxCoeff() loses a NaN that is not first. Those who ask info() or rank() alone solve on with numbers that are none.
# LLT, LDLT and maxCoeff() were seen before, in kinetree's tests. Guess for the others, before they were run: JacobiSVD alone
# looks for it (InvalidInput), and QR by columns and FullPivLU say rank 2 of 3. FullPivLU says 1: it stops at the NaN.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack libeigen3-dev=3.4.0-4
build program -I root/usr/include/eigen3 <<'X'
#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
const char* word(Eigen::ComputationInfo info) {
  const char* words[]{"Success", "NumericalIssue", "NoConvergence", "InvalidInput"};
  return words[info];
}
int main() {
  Eigen::MatrixXd A = 2 * Eigen::MatrixXd::Identity(3, 3);
  A(1, 1) = std::nan("");
  std::printf("maxCoeff %g, propagating %d\n", A.maxCoeff(), std::isnan(A.maxCoeff<Eigen::PropagateNaN>()));
  std::printf("LLT %s, LDLT %s\n", word(A.llt().info()), word(A.ldlt().info()));
  std::printf("ColPivHouseholderQR %s, rank %d\n", word(A.colPivHouseholderQr().info()), int(A.colPivHouseholderQr().rank()));
  std::printf("CompleteOrthogonalDecomposition rank %d\n", int(A.completeOrthogonalDecomposition().rank()));
  std::printf("FullPivLU rank %d\n", int(A.fullPivLu().rank()));
  std::printf("JacobiSVD %s\n", word(A.jacobiSvd().info()));
}
X
expect "maxCoeff 2, propagating 1
LLT Success, LDLT Success
ColPivHouseholderQR Success, rank 2
CompleteOrthogonalDecomposition rank 2
FullPivLU rank 1
JacobiSVD InvalidInput" "$(./program)"
