// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DevToken} from "../../DevToken.sol";
import {IOutcomeVerifier} from "../../interfaces/IOutcomeVerifier.sol";
import {Parameters} from "../../interfaces/ISmartBalanceDeployer.sol";
import {PROPOSAL_NOTICE} from "../../smart-balance/Constants.sol";
import {Administration} from "../../smart-balance/Administration.sol";
import {SmartBalanceParts as SmartBalance} from "../../smart-balance/SmartBalanceParts.sol";
import {SmartBalanceDeployer} from "../../SmartBalanceDeployer.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @dev The event of every administrative change. Users and monitoring follow the owner's powers by these logs.
contract AdministrationTest is SmartBalanceTest {
    IOutcomeVerifier private constant NEXT = IOutcomeVerifier(address(0x7E4));

    function test_event_PauserSet() public {
        vm.expectEmit(address(smartBalance));
        emit Administration.PauserSet(account);
        vm.prank(ADMIN);
        smartBalance.setPauser(account);
    }

    function test_event_OperatorSet() public {
        vm.expectEmit(address(smartBalance));
        emit Administration.OperatorSet(account, true);
        vm.prank(ADMIN);
        smartBalance.setOperator(account, true);
    }

    function test_event_SettlerSet() public {
        vm.expectEmit(address(smartBalance));
        emit Administration.SettlerSet(account, true);
        vm.prank(ADMIN);
        smartBalance.setSettler(account, true);
    }

    function test_event_VerifierProposed() public {
        vm.expectEmit(address(smartBalance));
        emit Administration.VerifierProposed(NEXT, uint48(block.timestamp + PROPOSAL_NOTICE));
        vm.prank(ADMIN);
        smartBalance.proposeVerifier(NEXT);
    }

    function test_event_VerifierSet() public {
        vm.startPrank(ADMIN);
        smartBalance.proposeVerifier(NEXT);
        vm.warp(block.timestamp + PROPOSAL_NOTICE);
        vm.expectEmit(address(smartBalance));
        emit Administration.VerifierSet(NEXT);
        smartBalance.applyVerifier();
        vm.stopPrank();
        assertTrue(address(smartBalance.pendingVerifier()) == address(0), "nothing is proposed");
    }

    function test_event_VerifierSet_whenDeployed() public {
        SmartBalanceDeployer deployer = SmartBalanceDeployer(_create(_creationCode("SmartBalanceDeployer"), ""));
        DevToken token = DevToken(_create(_creationCode("DevToken"), abi.encode("", "", 6)));
        address expected = deployer.addressOf(address(this), 0, keccak256(_creationCode("SmartBalance")));
        vm.expectEmit(expected);
        emit Administration.VerifierSet(NEXT);
        deployer.deploy(
            0,
            _creationCode("SmartBalance"),
            Parameters(IERC20(address(token)), address(1), address(2), ADMIN, NEXT, address(epochs))
        );
    }

    function test_event_OutflowCapSet() public {
        vm.expectEmit(address(smartBalance));
        emit Administration.OutflowCapSet(5);
        vm.prank(ADMIN);
        smartBalance.setOutflowCap(5);
    }

    function test_event_PausedSet() public {
        vm.expectEmit(address(smartBalance));
        emit Administration.PausedSet(true);
        vm.prank(ADMIN);
        smartBalance.setPaused(true);
    }

    function test_event_LiquidityWithdrawn() public {
        vm.expectEmit(address(smartBalance));
        emit Administration.LiquidityWithdrawn(account, 7);
        vm.prank(ADMIN);
        smartBalance.withdrawLiquidity(account, 7);
    }
}
